import { query } from '../../runtime/migrations/testing/migrations.js';

export const order = {
  customerId: '018F0000-0000-7000-8000-00000000000A',
  lineItems: [{ productId: 'bread', quantity: 3, unitPrice: '1.10' }],
  shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
};

/** A command is answered once the read models have it. */
export const headers = { 'content-type': 'application/json', prefer: 'wait=20' };

export async function place(url: string): Promise<string> {
  const answer = await fetch(`${url}/orders`, { method: 'POST', headers, body: JSON.stringify(order) });
  return ((await answer.json()) as { orderId: string }).orderId;
}

/** Makes rows of the read model wrong. */
export const spoil = (url: string) => query(url, "UPDATE svc_per_order_summary SET status = 'lost'");

export const statuses = (url: string) => query(url, 'SELECT DISTINCT status FROM svc_per_order_summary');

/** What operators have done. */
export const actions = (url: string) =>
  query(
    url,
    `SELECT data->>'action', data->>'target', data->>'actor', data->>'reason' FROM svc_system_stream
      WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
  );

export const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>;
