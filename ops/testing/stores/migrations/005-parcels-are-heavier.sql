UPDATE parcels SET weight = weight + 1;
