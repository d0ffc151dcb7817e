/** The request body of every variant. */
export const orderBody = JSON.stringify({
  customerId: '018f3a52-7c1e-7cc0-9d3a-2b1f4c5d6e7f',
  lineItems: [
    { productId: 'sku-10442', quantity: 2, unitPrice: '19.99' },
    { productId: 'sku-20981', quantity: 1, unitPrice: '49.99' },
    { productId: 'sku-31337', quantity: 3, unitPrice: '5.00' },
  ],
  shippingAddress: { street: '12 Harbour Street', city: 'Portsmouth', state: 'NH', zipCode: '03801' },
});

/** The same order as a GraphQL mutation. */
export const orderMutation = JSON.stringify({
  query: 'mutation($command: CreateOrderInput!) { createOrder(command: $command) { orderId total status } }',
  variables: { command: JSON.parse(orderBody) as unknown },
});

/** The same order as a call of a tool; equal calls would be answered once. */
export const orderCall = (idempotencyKey: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_order', arguments: { ...(JSON.parse(orderBody) as object), idempotencyKey } },
  });
