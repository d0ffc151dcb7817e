import { messageListener } from '../../runtime/testing/message-listener.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { sharedHosts } from './live-hosts.js';
import { reactingShop } from './reacting-shop.js';
import { untilShopReacts } from './shop-cursors.js';

/** Two hosts of a shop, and what they store and send. */
export function reportingHosts() {
  const shop = reactingShop();
  const transport = new InProcessTransport();
  const destinations = new Set<string>();
  transport.subscribe(messageListener('>', ({ destination }) => void destinations.add(destination)));
  const shared = sharedHosts({ definition: shop.definition, count: 2, transport });
  const rows = (text: string) => rowsOf(shared.databaseUrl, text);
  /** The system messages of a type, as the fields that are asked for. */
  const reported = async (type: string, fields: string): Promise<readonly string[]> =>
    (
      await rows(
        `SELECT concat_ws(' ', ${fields}) FROM svc_system_events WHERE event_type = '${type}' ORDER BY global_position`,
      )
    ).map(([line = '']) => line);

  const isIn = (orderId: string, state: string): Promise<number> =>
    until(async () => {
      const [[found] = []] = await rows(`SELECT state FROM svc_processes WHERE key = '${orderId}'`);
      return found === state;
    });
  /** A step that runs while its partition changes hands runs again, and its failure is reported again. */
  const areShared = async (): Promise<boolean> => {
    const counts = await rows(
      "SELECT count(*) FROM svc_leases WHERE name ~ '^(process|reaction|timers)/' AND owner IS NOT NULL GROUP BY owner",
    );
    const [one, other] = counts.map(([count]) => Number(count));
    return one !== undefined && other !== undefined && Math.abs(one - other) <= 1;
  };
  const start = async (): Promise<void> => {
    await shared.start();
    await untilShopReacts(shared.databaseUrl);
    await until(areShared);
  };
  return { shop, destinations, shared, start, rows, reported, isIn };
}
