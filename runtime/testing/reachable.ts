import type { Transport } from '../../contracts/transport.js';

/** Whether the broker answers right now. */
export const isReachable = (transport: Transport): Promise<boolean> =>
  transport.ping().then(
    () => true,
    () => false,
  );
