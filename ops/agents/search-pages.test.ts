import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { searchPages } from './search-pages.js';

const test = suite('search in the documentation');

const pages = `\fguides/bread.md
---
description: How to bake.
---

# Bake bread

Knead the dough.

## Let it rise

For two hours, in a warm place.
\fguides/cake.md
# Bake a cake

Without dough.
`;

const found = (text: string) => searchPages(text, pages).map(({ page, heading }) => [page, heading]);

test('a search finds sections with their page, those first that name the words', () => {
  assert.equal(found('warm place'), [['guides/bread.md', 'Let it rise']]);
  assert.equal(found('bread dough')[0], ['guides/bread.md', 'Bake bread']);
  assert.is(searchPages('rise', pages)[0]?.text, '## Let it rise\n\nFor two hours, in a warm place.');
  assert.equal(found('yeast'), []);
  assert.equal(found('.*'), []);
});

test('a question finds the guide of the package that answers it', () => {
  for (const [text, page] of [
    ['call another system effect', 'guides/effects.md'],
    ['rotate the secret of a webhook', 'guides/call-your-customers-back.md'],
    ['a person must agree to what an agent does', 'guides/agents.md'],
  ] as const)
    assert.is(searchPages(text)[0]?.page, page, text);
});
