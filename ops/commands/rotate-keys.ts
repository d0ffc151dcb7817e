import { Problem } from '../../contracts/problems.js';
import type { KeyWrapper } from '../../contracts/sealing.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { masterKeyWrapper } from '../../runtime/subjects/master-key.js';
import { type RotatedMaster, rotateMasterKey } from '../../runtime/subjects/rotate-master-key.js';
import { type RotatedKey, rotateStoreKey } from '../../runtime/trust/rotate-store-key.js';
import { cliEditor } from '../cli/access-editor.js';
import type { Config } from '../config/config.js';
import { withApplication } from '../service/with-application.js';
import { printToStderr } from '../terminal/print.js';
import { progressBar } from '../terminal/progress-bar.js';

interface Rotation {
  readonly reason: string;
  /** The application with the wrapper; unset: SVC_MASTER_KEY wraps. */
  readonly app: string | undefined;
  readonly isForced: boolean;
}

export const rotateKey = (
  connection: StoreConnection,
  config: Config,
  { reason }: Rotation,
): Promise<RotatedKey> =>
  connection.asOwner((owner) => rotateStoreKey(owner, cliEditor(config), config, reason));

export function rotatedKeyText({ rotated, publicKey, previousKey, upTo }: RotatedKey): string {
  if (!rotated) return `The store signs with ${publicKey} already; nothing has changed.`;
  return `The store signs with ${publicKey} from now on; ${previousKey} counts up to position ${upTo}.`;
}

/** Leaves exit code 1 when a key is left. */
export async function rotateMaster(
  connection: StoreConnection,
  config: Config,
  { reason, app, isForced }: Rotation,
): Promise<RotatedMaster> {
  const bar = progressBar(process.stderr, 'keys of subjects');
  try {
    const rotated = await withWrapper(config, app, (wrapper, old) =>
      connection.asOwner((owner) =>
        rotateMasterKey(owner, {
          wrapper,
          old,
          editor: cliEditor(config),
          reason,
          isForced,
          progress: (done, total) => bar.show(done, total, `${done} of ${total}`),
        }),
      ),
    );
    bar.clear();
    if (rotated.left.length > 0) noteLeft(rotated);
    return rotated;
  } finally {
    bar.clear();
  }
}

function noteLeft({ left, stopped }: RotatedMaster): void {
  process.exitCode = 1;
  printToStderr(
    `svc: ${left.length} ${left.length === 1 ? 'key' : 'keys'} of subjects can be neither opened nor wrapped, and stay as they are${stopped ? '; the others were not tried' : ''}: keep SVC_MASTER_KEY_OLD, and run this again with the master key that they have.\n`,
  );
}

async function withWrapper<T>(
  { masterKey, masterKeyOld }: Config,
  app: string | undefined,
  body: (wrapper: KeyWrapper, old: KeyWrapper | undefined) => Promise<T>,
): Promise<T> {
  const old = masterKeyOld === undefined ? undefined : masterKeyWrapper(masterKeyOld);
  if (app === undefined) {
    if (masterKey === undefined || masterKeyOld === undefined) throw refused(bothNeeded);
    if (Buffer.from(masterKey).equals(masterKeyOld)) throw refused(sameKey);
    return body(masterKeyWrapper(masterKey), old);
  }
  return withApplication(app, async ({ keyWrapper }) => {
    if (keyWrapper === undefined) throw refused(`${app} has no keyWrapper: leave out --app.`);
    return body(keyWrapper, old);
  });
}

const refused = (detail: string): Problem => new Problem('invalid-setup', { detail });

const bothNeeded =
  'Set SVC_MASTER_KEY to the new master key and SVC_MASTER_KEY_OLD to the one before; with a keyWrapper, give the application: --app APP.';
const sameKey = 'SVC_MASTER_KEY and SVC_MASTER_KEY_OLD are the same: set SVC_MASTER_KEY to the new one.';

const maxNamed = 10;

export function rotatedMasterText({ rotation, rewrapped, left }: RotatedMaster): string {
  if (rotation === 'done')
    return 'Every key of a subject has this master key already; SVC_MASTER_KEY_OLD is not needed any more.';
  const lines = [`Rewrapped ${rewrapped} ${rewrapped === 1 ? 'key' : 'keys'} of subjects.`];
  if (left.length === 0)
    return [...lines, 'SVC_MASTER_KEY_OLD is not needed any more: restart the hosts without it.'].join('\n');
  const more = left.length - maxNamed;
  return [...lines, ...left.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
