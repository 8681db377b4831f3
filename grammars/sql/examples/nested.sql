WITH recent (id) AS (SELECT id FROM logs UNION ALL SELECT max(id) + 1 FROM old.logs)
SELECT *, r.*, row_number() OVER (PARTITION BY a ORDER BY b) FROM recent r, (SELECT 1 AS one)
WHERE id NOT IN (SELECT id FROM logs) AND EXISTS (SELECT x'00ff');
UPDATE t SET a = -a * 2 || 'x', b = CAST(c AS DOUBLE PRECISION) WHERE a <> b;
DELETE FROM t
