-- Purpose: the tables of a session and their columns, for the shell to list and to complete.
-- Input:   information_schema.columns.
-- Output:  table_schema, table_name, column_name, data_type; one row a column, those of a table together and in order.
SELECT table_schema, table_name, column_name, data_type
FROM information_schema.columns
WHERE table_schema <> 'information_schema'
ORDER BY table_schema, table_name, ordinal_position
