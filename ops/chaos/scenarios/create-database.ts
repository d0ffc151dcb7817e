import { connect } from '../../../runtime/database/connect.js';

export const createDatabase = async (server: string, name: string): Promise<string> => {
  const client = await connect(server);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
};
