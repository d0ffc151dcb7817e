import type { ServiceModel } from '../model/service-model.js';
import { leaving, type Schema, schemaOf } from './json-schema.js';

/** `webhooks` of the OpenAPI document: what is delivered to the webhooks of customers, by type. */
export const webhookItems = ({ webhooks }: ServiceModel): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    webhooks
      .flatMap(({ published }) => published)
      .map(({ type, data }) => [
        type,
        {
          post: {
            summary: type,
            description: 'Signed as Standard Webhooks says; `webhook-id` is the same for every attempt.',
            parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
              name,
              in: 'header',
              required: true,
              schema: { type: 'string' },
            })),
            requestBody: {
              required: true,
              content: { 'application/json': { schema: bodySchema(type, schemaOf(data, leaving)) } },
            },
            responses: {
              '2XX': { description: 'The delivery has arrived.' },
              410: { description: 'Disables the webhook.' },
            },
          },
        },
      ]),
  );

const bodySchema = (type: string, data: Schema): Schema => ({
  type: 'object',
  properties: {
    type: { type: 'string', const: type },
    timestamp: { type: 'string', format: 'date-time' },
    data,
  },
  required: ['type', 'timestamp', 'data'],
});
