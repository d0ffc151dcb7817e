CREATE INDEX CONCURRENTLY IF NOT EXISTS parcels_label ON parcels (label);
