/** What a statement answers: the first column of its first row. */
export type Call = readonly [statement: string, answer: string];

const numbered = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;

export const owner = numbered(1);
export const other = numbered(2);
export const third = numbered(3);
export const event = numbered(4);
export const record = numbered(5);
export const timer = numbered(6);
export const lease = `'${owner}', 60000`;
export const key = `decode(repeat('11', 32), 'hex')`;
export const at = '2026-01-01T00:00:00Z';
export const hash = `svc_chain_hash('\\x00', 1, 1, NULL, '${at}', '${record}', ${key})`;
export const acted = `gen_random_uuid(), 'OperatorActed', '{}', '{}', true`;
export const operate = (action: string, args: string): string =>
  `SELECT svc_operate('${action}', '{${args}}', 'test', ${acted})`;
