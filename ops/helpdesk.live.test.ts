import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { newUuid } from '../contracts/uuid.js';
import { send } from '../endpoints/testing/http-client.js';
import { createApiKey } from '../runtime/access/change-api-keys.js';
import { changeAssignment, defineRole } from '../runtime/access/change-roles.js';
import { until } from '../runtime/kit/until.js';
import { withMigratedDatabase } from '../runtime/testing/migrated-database.js';
import { cliEditor } from './cli/access-editor.js';
import { readConfig } from './config/config.js';
import { startHost } from './host/host.js';
import { loadService } from './service/load-service.js';
import { accessibilityFaults, withBrowser } from './testing/browser.js';

const test = suite('helpdesk example');

const example = fileURLToPath(new URL('../examples/helpdesk', import.meta.url));
const secret = `whsec_${Buffer.from('thirty-two bytes of a test secret').toString('base64')}`;

const masterKey = randomBytes(32).toString('base64');

const roles = [
  { role: 'agent', permissions: ['tickets:read', 'tickets:answer', 'webhooks:admin'] },
  { role: 'customer', permissions: ['tickets:open'] },
];
const users = {
  ann: { role: 'agent', tenantId: 'north', userId: 'ann' },
  eve: { role: 'customer', tenantId: 'north', userId: 'eve@home.example' },
  bob: { role: 'agent', tenantId: 'south', userId: 'bob' },
} as const;
type UserName = keyof typeof users;

interface Desk {
  readonly url: string;
  readonly keys: Readonly<Record<UserName, string>>;
}

/** A host with API keys; ann and bob are agents of two tenants, eve is a customer of the first. */
const withDesk = (body: (desk: Desk) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url: databaseUrl, connect }) => {
    const env = {
      SVC_PORT: '0',
      DATABASE_URL: databaseUrl,
      SVC_AUTH: 'api-key',
      SVC_LOG: 'error',
      SVC_MASTER_KEY: masterKey,
    };
    const config = readConfig(env);
    const [owner, editor] = [connect({ owner: true }), cliEditor(config)];
    for (const role of roles) await defineRole(owner, editor, role);
    const keys: Partial<Record<UserName, string>> = {};
    for (const [name, { role, ...user }] of Object.entries(users)) {
      await changeAssignment(owner, editor, user, { kind: 'grant', roles: [role], permissions: [] });
      const grant = { name, permissions: ['desk:use'], ...user };
      keys[name as UserName] = (await createApiKey(owner, editor, grant)).key;
    }
    process.env['EMAIL_WEBHOOK_SECRET'] = secret;
    const host = await startHost(await loadService(example), config);
    try {
      await body({ url: host.url, keys: keys as Desk['keys'] });
    } finally {
      delete process.env['EMAIL_WEBHOOK_SECRET'];
      await host.stop();
    }
  });

async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}/desk/`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#state', { hasText: 'live' }).waitFor();
}

/** Delivers an e-mail as the provider does. */
function deliver(url: string, subject: string, id: string = newUuid()) {
  const data = { from: 'eve@home.example', to: 'support@north.example', subject, text: 'It is off.' };
  const body = JSON.stringify({ type: 'email.received', data });
  const at = new Date();
  return send(url, {
    path: '/webhooks/email',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
  });
}

const ticket = (page: Page, subject: string) => page.locator('#tickets li', { hasText: subject });

test('an e-mail becomes one ticket, and agent and customer see each other work without a reload', () =>
  withDesk(({ url, keys }) =>
    withBrowser(async ({ page: ann, errors, asked }) => {
      await signIn(ann, url, keys.ann);
      for (const status of [
        (await deliver(url, 'Printer', 'msg_1')).status,
        (await deliver(url, 'Printer', 'msg_1')).status,
      ])
        assert.is(status, 204);
      await ticket(ann, 'Printer').filter({ hasText: 'open' }).waitFor();
      const eve = await (await ann.context().browser()?.newContext())?.newPage();
      if (eve === undefined) return assert.unreachable('no second window');
      await signIn(eve, url, keys.eve);
      await ticket(eve, 'Printer').waitFor();
      assert.is(await eve.getByRole('button', { name: 'Answer' }).count(), 0);
      await ticket(ann, 'Printer').getByLabel('Answer').fill('Turn it on.');
      await ticket(ann, 'Printer').getByRole('button', { name: 'Answer' }).click();
      await ticket(eve, 'Printer')
        .filter({ hasText: 'Turn it on.' })
        .filter({ hasText: 'answered' })
        .waitFor();
      await eve.getByLabel('Subject').fill('<b>Screen</b>');
      await eve.getByLabel('Text').fill('It is black.');
      await eve.getByRole('button', { name: 'Open a ticket' }).click();
      await ticket(ann, '<b>Screen</b>').waitFor();
      assert.is(await ann.locator('#tickets li').count(), 2);
      await ticket(ann, 'Printer').getByRole('button', { name: 'Close' }).click();
      await ticket(eve, 'Printer').filter({ hasText: 'closed' }).waitFor();
      assert.equal(await accessibilityFaults(ann), []);
      assert.equal(
        asked.filter((address) => !address.startsWith(url) && !address.startsWith('data:')),
        [],
      );
      assert.equal(
        errors.filter((error) => !error.includes('401')),
        [],
      );
    }),
  ));

test('an agent of another tenant and a caller without a key see no ticket', () =>
  withDesk(async ({ url, keys }) => {
    assert.is((await deliver(url, 'Printer')).status, 204);
    const statusFor = async (path: string, headers: Record<string, string>) =>
      (await send(url, { method: 'GET', path, headers })).status;
    assert.is(await statusFor('/tickets', {}), 401);
    assert.is(await statusFor('/tickets', { 'x-api-key': keys.eve }), 403);
    const { text } = await send(url, { method: 'GET', path: '/tickets', headers: { 'x-api-key': keys.bob } });
    assert.match(text, '"data":[]');
  }));

test('an agent makes a webhook for a public address alone, and its secret is shown once', () =>
  withDesk(async ({ url, keys }) => {
    const asked = async (address: string, key = keys.ann): Promise<readonly [number, string]> => {
      const answer = await fetch(`${url}/webhooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ url: address, types: ['ticket.opened'] }),
      });
      return [answer.status, await answer.text()];
    };
    assert.is((await asked('https://169.254.169.254/'))[0], 422);
    assert.is((await asked('https://hooks.example/', keys.eve))[0], 403);
    const [status, text] = await asked('https://hooks.example/');
    assert.is(status, 200);
    const { secret: shown } = JSON.parse(text) as { readonly secret: string };
    assert.match(shown, /^whsec_/);
    const listed = async (): Promise<string> =>
      (await fetch(`${url}/webhooks`, { headers: { 'x-api-key': keys.ann } })).text();
    await until(async () => (await listed()).includes('hooks.example'));
    assert.not.match(await listed(), shown.slice(6));
  }));
