CREATE OR REPLACE VIEW heavy_parcels AS SELECT id, label FROM parcels WHERE weight > 1;
