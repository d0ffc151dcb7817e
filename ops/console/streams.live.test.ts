import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { BreadBaked } from '../../endpoints/testing/bakery.js';
import { accessibilityFaults } from '../testing/browser.js';
import { withConsole } from '../testing/bakery-console.js';

const test = suite('streams in the console');

test('from a request to its stream, through its events and rows, and back from the id of the stream', () =>
  withConsole(async ({ page, errors, bake, show, host }) => {
    await bake('Ada');
    await page.locator('.requests a').first().click();
    await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: / @ 1$/ }).click();
    await page.getByRole('heading', { name: 'BreadBaked' }).waitFor();
    const streamId = /stream\/([0-9a-f-]{36})\/1/.exec(page.url())?.[1] ?? '';
    const envelope = (customer: string) => ({
      messageId: newUuid(),
      messageType: 'BreadBaked',
      payload: BreadBaked.of({ customer, loaves: 1 }),
      timestamp: new Date().toISOString(),
      v: 1,
    });
    await host.service.eventStore.append(streamId, [
      envelope('Grace'),
      envelope('<img src=x onerror=alert(1)>'),
    ]);

    await page.goto(`${host.url}/console#stream/${streamId}/2`);
    await page.reload();
    await page.getByText('2 of 3', { exact: true }).waitFor();
    await page.locator('.diff.removed', { hasText: 'customer: "Ada"' }).waitFor();
    await page.locator('.diff.added', { hasText: 'customer: "Grace"' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('.diff.added', { hasText: '<img src=x' }).waitFor();
    assert.match(page.url(), new RegExp(`#/stream/${streamId}/3$`));
    assert.equal(await accessibilityFaults(page), []);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Home');
    await page.getByText('new row', { exact: true }).waitFor();
    await page.locator('.diff.added', { hasText: 'customer: "Ada"' }).waitFor();
    assert.is(await page.locator('.diff.removed').count(), 0);

    await show(`requests?q=${streamId}`);
    await page.locator('.requests li:only-child', { hasText: 'BakeBun' }).waitFor();
    await show('stream');
    await page.locator('.streams li', { hasText: 'BreadBaked' }).waitFor();
    await page.getByLabel('Stream id').fill('no such stream');
    await page.keyboard.press('Enter');
    await page.getByText('There is no stream no such stream.').waitFor();
    assert.match(errors.splice(0).join(), /^[^,]*404[^,]*$/);
  }));
