import { builtForProcess } from '../../runtime/testing/process-root.js';

const index = builtForProcess(new URL('../../index.js', import.meta.url));
const endpoints = builtForProcess(new URL('../../endpoints/index.js', import.meta.url));

const kitchenWith = (more: string): string => `
import { Command, CommandEndpoint, Event, newUuid, RestMutationEndpointBase } from '${index}';
import { endpoint, receptor } from '${endpoints}';
class Boil extends Command { pot; }
class Serve extends Command { pot; }
class Boiled extends Event { pot; }
class Served extends Event { pot; }
CommandEndpoint({ restRoute: '/boil' })(Boil);
class PostEndpoint extends RestMutationEndpointBase {
  constructor(dispatcher) { super(); this.dispatcher = dispatcher; }
  dispatchCommand(command, signal, context) { return this.dispatcher.localInvoke(command, signal, context); }
}
const appends = (type) => ({ handle: ({ pot }, work) => void work.append(newUuid(), type.of({ pot })) });
export default {
  name: 'kitchen',${more}
  create: (dispatcher) => ({
    endpoints: [
      endpoint({ command: Boil, endpoint: new PostEndpoint(dispatcher), decode: ({ pot }) => Boil.of({ pot: String(pot) }) }),
    ],
    receptors: [receptor(Boil, appends(Boiled)), receptor(Serve, appends(Served))],
    reactions: [{ name: 'serve', from: 'start', events: [Boiled], react: ({ payload: { pot } }) => {
      if (pot === 'burnt') { console.log('{"msg":"burning"}'); for (;;); }
      return Serve.of({ pot });
    } }],
    events: [Boiled, Served],
  }),
};
`;

/** Each pot is boiled, and a reaction serves it; that of the pot `burnt` never ends. */
export const kitchen = kitchenWith('');

/** Its reactions run before it is ready, also on a busy machine. */
export const slowKitchen = kitchenWith(`
  routes: () => new Promise((resolve) => { setTimeout(resolve, 3_000); }),`);
