import { Client } from 'pg';
import { Problem } from '../../contracts/problems.js';

/** One connection; the caller ends it. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // When it is lost while idle, the next query fails anyway; an unhandled error event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    throw new Problem('store-unavailable', { cause });
  }
}
