/** `/docs`; everything in it is made by the script from `openapi.json`. Addresses are relative, for a proxy with a prefix. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/style.css">
    <script type="module" src="docs/script.js"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to the operation</a>
    <nav aria-label="Operations">
      <header>
        <h1 id="title">API</h1>
        <p><span id="version"></span> <a href="openapi.json">openapi.json</a></p>
      </header>
      <input id="filter" type="search" placeholder="Filter" aria-label="Filter operations" aria-keyshortcuts="/" autocomplete="off">
      <div id="operations"></div>
    </nav>
    <main id="main" tabindex="-1"><p class="quiet">Loading …</p></main>
    <noscript><p>This page needs JavaScript; <a href="openapi.json">openapi.json</a> says the same.</p></noscript>
  </body>
</html>
`;
