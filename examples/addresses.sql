INSERT OVERWRITE TABLE db.output_1
SELECT concat(address_one, ', ', city) AS full_address FROM db.input_a
UNION
SELECT concat(street, ' ', house_no, ', ', town) AS full_address FROM db.input_b;

INSERT OVERWRITE TABLE db.output_2
SELECT o.full_address AS address FROM db.output_1 AS o;
