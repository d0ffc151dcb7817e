CREATE TABLE parcels (id int PRIMARY KEY, label text NOT NULL, weight int NOT NULL);
INSERT INTO parcels SELECT n, 'parcel ' || n, n * 250 FROM generate_series(1, 5) n;
