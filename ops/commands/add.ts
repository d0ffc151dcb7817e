import { mustBeInstalled } from '../../runtime/lang/optional-package.js';
import type { Verb } from '../cli/verb.js';

export const add: Verb = {
  help: `
svc add command <Name> [field[:type]…] [--app DIR] [--json]
svc add event <Name> [field[:type]…]
svc add perspective <Name> [Event…]
svc add reaction <Name> [Event…]
svc add process <Name> [Event…]
svc add decider <Name>
svc add effect <Name> [field[:type]…]
svc add webhooks [Event…]

Writes a class for you to fill in, into a new file beside your other sources. You register nothing: svc dev and
svc generate find it. A command comes with its receptor, a route and a permission. The permission is for the noun in its
name, or for the resource of another command about the same thing. A perspective, a reaction and a process take the
events that you name, or all events of the service; the first event starts a process. A decider comes with a command
and its event, an effect with its command, which has no route. Webhooks come with all that customers need to ask for
them: commands, reads, and deliveries that are signed and tried again. Write what of each event may leave the service.

A field is a string unless you name its type: string, number, boolean, Decimal, Duration, Int, Json, Long,
Timestamp, Uuid. A question mark makes it optional: 'note?' or 'dueAt?:Timestamp'. Without fields there is id:Uuid.

  --app DIR   the folder of the service; by default this one
  --json      prints JSON: the file that was written

  svc add command ReturnBook bookId:Uuid`,
  run: async (args) => {
    mustBeInstalled('@ts-morph/common', 'svc add', 'development');
    const { runAdd } = await import('./run-add.js');
    await runAdd(args);
  },
};
