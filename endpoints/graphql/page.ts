import { hash } from 'node:crypto';
import { pageScript } from './page-script.js';
import { pageStyle } from './page-style.js';

const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

const policy = [
  "default-src 'none'",
  `script-src ${sourceOf(pageScript)}`,
  `style-src ${sourceOf(pageStyle)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>GraphQL</h1>
<output id="status" aria-live="polite"></output>
<button id="run" type="button" title="Ctrl + Enter">Run</button>
</header>
<main>
<nav aria-label="Schema">
<h2>Mutations</h2>
<ul id="mutations"></ul>
<h2>Types</h2>
<div id="types"></div>
<button id="reload" type="button">Read the schema again</button>
</nav>
<section aria-label="Request">
<label for="query">Document</label>
<textarea id="query" spellcheck="false" autocapitalize="off" autocomplete="off" rows="14"></textarea>
<label for="variables">Variables, as JSON</label>
<textarea id="variables" spellcheck="false" autocapitalize="off" autocomplete="off" rows="12"></textarea>
<label for="headers">Headers, one per line</label>
<textarea id="headers" spellcheck="false" autocapitalize="off" autocomplete="off" rows="2" placeholder="Idempotency-Key: …"></textarea>
</section>
<section aria-label="Answer">
<h2>Answer</h2>
<pre id="answer" role="region" aria-label="Answer" tabindex="0"></pre>
</section>
</main>
<script type="module">${pageScript}</script>
</body>
</html>
`;

/** A place to try mutations: one answer, nothing from elsewhere. */
export const graphqlPage = {
  text,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  },
} as const;
