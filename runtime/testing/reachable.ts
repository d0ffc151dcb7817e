import type { Transport } from '../../contracts/transport.js';

/** Whether the broker responds right now. */
export const isReachable = (transport: Transport): Promise<boolean> =>
  transport.ping().then(
    () => true,
    () => false,
  );
