/** What other folders need from the driver. */
export { escapeIdentifier, escapeLiteral, type Pool } from 'pg';
