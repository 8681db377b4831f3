-- Orders of this year
CREATE TABLE IF NOT EXISTS orders (
  id INTEGER PRIMARY KEY,
  "customer id" INT NOT NULL REFERENCES customers (id),
  limit DECIMAL(10, 2) DEFAULT -1 CHECK (price >= 0)
);
INSERT INTO orders (id, price) VALUES (1, 2.5), (2, NULL), (?, 'it''s');
SELECT DISTINCT o.id, COUNT(*) AS n, CASE WHEN n > 1 THEN 'many' ELSE 'one' END kind
FROM orders AS o LEFT OUTER JOIN customers c ON o.customer = c.id AND c.group IN ('a', 'b')
WHERE o.price BETWEEN 1 AND 10 AND NOT (o.name LIKE '%x' OR o.x IS NOT NULL) /* all */
GROUP BY o.id, kind HAVING COUNT(*) > 1
ORDER BY n DESC, 1 LIMIT 10 OFFSET 5;
