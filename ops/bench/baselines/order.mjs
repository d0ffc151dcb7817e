/** The order every server takes, what it must look like, and what it is answered with. */
export const orderSchema = {
  type: 'object',
  required: ['customerId', 'lineItems', 'shippingAddress'],
  additionalProperties: false,
  properties: {
    customerId: { type: 'string', format: 'uuid' },
    lineItems: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['productId', 'quantity', 'unitPrice'],
        additionalProperties: false,
        properties: {
          productId: { type: 'string' },
          quantity: { type: 'integer', minimum: 1 },
          unitPrice: { type: 'string', pattern: String.raw`^-?(?:0|[1-9]\d*)(?:\.\d+)?$` },
        },
      },
    },
    shippingAddress: {
      type: 'object',
      required: ['street', 'city', 'state', 'zipCode'],
      additionalProperties: false,
      properties: {
        street: { type: 'string' },
        city: { type: 'string' },
        state: { type: 'string' },
        zipCode: { type: 'string' },
      },
    },
  },
};

export const resultSchema = {
  type: 'object',
  properties: { orderId: { type: 'string' }, total: { type: 'string' }, status: { type: 'string' } },
};

/** No arithmetic, no id: what is measured is the way to the handler and back. */
export const createOrder = ({ customerId }) => ({ orderId: customerId, total: '104.97', status: 'created' });

/** Reports to the bench where this server listens. */
export function tellPort(port) {
  process.stdout.write(`${JSON.stringify({ port })}\n`);
}
