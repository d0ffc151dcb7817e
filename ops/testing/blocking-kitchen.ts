import { post } from '../../endpoints/testing/http-client.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';

const index = builtForProcess(new URL('../../index.js', import.meta.url));
const endpoints = builtForProcess(new URL('../../endpoints/index.js', import.meta.url));

/** Boil may block for 6 s, or for as long as the host lives, at once, after it has waited for something or while it is decoded; Sell never does. */
export const kitchen = `
import { Command, CommandEndpoint, RestMutationEndpointBase } from '${index}';
import { endpoint, receptor } from '${endpoints}';
class Boil extends Command { how; pot; }
class Sell extends Command {}
CommandEndpoint({ restRoute: '/boil' })(Boil);
CommandEndpoint({ restRoute: '/sell' })(Sell);
class PostEndpoint extends RestMutationEndpointBase {
  constructor(dispatcher) { super(); this.dispatcher = dispatcher; }
  dispatchCommand(command, signal, context) { return this.dispatcher.localInvoke(command, signal, context); }
}
const busy = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
const ways = {
  calm: () => undefined,
  busy: () => busy(6_000),
  asleep: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  later: async () => undefined,
};
const boiling = {
  async handle({ how }) {
    ways[how]();
    if (how === 'later') { await new Promise((done) => setTimeout(done, 5)); busy(Infinity); }
    return { done: true };
  },
  key: ({ pot }) => pot,
};
export default {
  name: 'kitchen',
  create: (dispatcher) => ({
    endpoints: [
      endpoint({
        command: Boil, endpoint: new PostEndpoint(dispatcher),
        decode: (value) => value.how === 'unread' ? busy(Infinity) : Boil.of({ how: String(value.how), pot: String(value.pot) }),
      }),
      endpoint({ command: Sell, endpoint: new PostEndpoint(dispatcher), decode: () => Sell.of({}) }),
    ],
    receptors: [receptor(Boil, boiling), receptor(Sell, { handle: async () => ({ sold: true }) })],
  }),
};
`;

export const boil = (url: string, how: string, pot = '1') => post(url, { how, pot }, { path: '/boil' });

export const sell = (url: string) => post(url, {}, { path: '/sell' });
