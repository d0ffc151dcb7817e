import type { StoredEvent } from '../../../contracts/event-store.js';
import type { Perspective } from '../../../contracts/perspective.js';
import type { ServiceDefinition } from '../../../endpoints/service-definition.js';
import histories from '../history/history-service.js';
import { callsTo, effectsThat } from '../effects/effect-commands.js';
import ledgers, { Counted } from '../ledgers/ledger-service.js';

interface Account {
  readonly numbers: number;
  readonly sum: number;
}

/** The numbers of an account: an event that is folded twice shows. */
class Accounts implements Perspective<Account, Counted> {
  readonly name = 'accounts';
  readonly route = '/accounts';
  readonly events = [Counted];
  readonly columns = { numbers: 'integer', sum: 'bigint' } as const;
  initial = (): Account => ({ numbers: 0, sum: 0 });
  apply = ({ numbers, sum }: Account, { payload: { n } }: StoredEvent<Counted>): Account => ({
    numbers: numbers + 1,
    sum: sum + n,
  });
}

const { MIXED_PROVIDER: provider = '', SVC_NAME: host = '' } = process.env;

/** What the ledgers, the histories and the effects do, in one application. */
const mixed: ServiceDefinition = {
  name: 'mixed',
  create: (dispatcher, ...rest) => {
    const [counted, read] = [ledgers.create(dispatcher, ...rest), histories.create(dispatcher, ...rest)];
    return {
      ...counted,
      endpoints: [...counted.endpoints, ...read.endpoints],
      receptors: [...counted.receptors, ...read.receptors],
      events: [...(counted.events ?? []), ...(read.events ?? [])],
      perspectives: [new Accounts()],
      effects: effectsThat(callsTo(provider, host)),
    };
  },
};

export default mixed;
