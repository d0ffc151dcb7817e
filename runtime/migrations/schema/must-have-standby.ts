import { noStandbyState } from '../../database/second-copy.js';

/** Without a synchronous standby in its settings the server would commit on one disk and report success. */
export const mustHaveStandby = /* sql */ `
  IF current_setting('svc.durability', true) = 'sync' THEN
    IF current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
      RAISE EXCEPTION 'no synchronous standby' USING ERRCODE = '${noStandbyState}';
    END IF;
  END IF;`;
