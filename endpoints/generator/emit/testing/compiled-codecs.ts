import type { Fault } from '../../../../contracts/problems.js';
import type { ServiceModel } from '../../model/service-model.js';
import { emitCodecs } from '../codec.js';
import { loadCompiled } from './compile.js';
import { declarationsOf } from './declarations.js';

type Decoder = (value: unknown, path: string, faults: Fault[]) => Record<string, unknown>;

/** The emitted codecs, compiled against declarations that match the model. */
export async function codecsOf(model: ServiceModel) {
  const sources = declarationsOf(model).set('generated/codecs', emitCodecs(model));
  const codecs = await loadCompiled(sources, 'generated/codecs');
  return {
    names: Object.keys(codecs).sort(),
    decoder: (name: string) => codecs[`decode${name}`] as Decoder,
    encode: (name: string, value: unknown) => (codecs[`encode${name}`] as (value: unknown) => string)(value),
    redact: (name: string, value: unknown) => (codecs[`redact${name}`] as (value: unknown) => unknown)(value),
  };
}

export function decoded(decode: Decoder, value: unknown) {
  const faults: Fault[] = [];
  const result = decode(value, '', faults);
  return faults.length === 0 ? { result } : { faults };
}

export const order = () => ({
  customerId: 'ABCDEF00-0000-0000-0000-00000000000A',
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: 4.1 }],
  shippingAddress: { street: 'Main Street 1', zipCode: '12345' },
});
