/** What other folders need of the driver. */
export { escapeIdentifier, escapeLiteral, type Pool } from 'pg';
