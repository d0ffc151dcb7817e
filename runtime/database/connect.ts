import { Client } from 'pg';
import { Problem } from '../../contracts/problems.js';

/** One connection, to be ended by the caller. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // Lost while idle: the next query says so, and an unheard event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    throw new Problem('store-unavailable', { cause });
  }
}
