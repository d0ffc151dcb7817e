export const style = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfb; --side: #f5f5f1; --ink: #1d1f21; --quiet: #63676b; --line: #e2e2dc;
  --accent: #14606b; --good: #2c6e3f; --bad: #a3341f; --field: #fff;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181a; --side: #1b1e20; --ink: #e4e5e2; --quiet: #9a9fa3; --line: #2e3235;
    --accent: #74c2cc; --good: #85c795; --bad: #ee9a86; --field: #111315;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); min-height: 100vh;
  background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
h1, h2, h3, p, ul, dl, dd, pre { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: var(--accent); text-underline-offset: 0.2em; }
code, pre, dd > span { font-family: var(--mono); font-size: 0.87em; }
* { scrollbar-width: thin; scrollbar-color: var(--line) transparent; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.quiet { color: var(--quiet); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.25rem 0.75rem; }

nav {
  position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto;
  padding: 2rem 1.25rem; background: var(--side); border-right: 1px solid var(--line);
}
nav h1 { font-size: 1.05rem; font-weight: 650; letter-spacing: -0.01em; }
nav header p { color: var(--quiet); font-size: 0.8rem; margin-bottom: 1.25rem; }
nav h2 {
  font-size: 0.75rem; font-weight: 600; color: var(--quiet); margin: 1.5rem 0 0.25rem 0.6rem;
}
nav li a {
  display: block; padding: 0.3rem 0.6rem; border-radius: 5px; color: inherit; text-decoration: none;
}
nav li small { display: block; color: var(--quiet); font: 0.75rem/1.4 var(--mono); overflow-wrap: anywhere; }
nav li a:hover { background: color-mix(in srgb, var(--ink) 5%, transparent); }
nav li a[aria-current] { background: color-mix(in srgb, var(--accent) 12%, transparent); }

input, textarea, button {
  font: inherit; color: inherit; background: var(--field); border: 1px solid var(--line); border-radius: 5px;
}
input { width: 100%; padding: 0.35rem 0.6rem; }
textarea { display: block; width: 100%; padding: 0.75rem; resize: vertical; tab-size: 2; }
textarea, .row input { font: 0.87em/1.5 var(--mono); }
.row input { padding-block: 0.5rem; }
button { padding: 0.35rem 0.8rem; font-size: 0.9rem; cursor: pointer; white-space: nowrap; }
button:hover { border-color: var(--quiet); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; }
h3 button { margin-left: auto; padding: 0.05rem 0.6rem; font-size: 0.8rem; font-weight: 400; }

main { padding: 2.5rem clamp(1.25rem, 4vw, 3.5rem) 5rem; max-width: 82rem; }
main h2 { font-size: 1.6rem; font-weight: 650; letter-spacing: -0.02em; line-height: 1.25; }
main h3 {
  display: flex; align-items: baseline; font-size: 0.95rem; font-weight: 600; margin: 2rem 0 0.6rem;
}
main > p { margin-top: 0.75rem; max-width: 42rem; }
.route { margin-top: 0.35rem; }
.route b { font: 600 0.8rem var(--mono); color: var(--accent); }
.route code { font-size: 0.95rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 clamp(2rem, 5vw, 4rem); }

dl > div { display: grid; grid-template-columns: 10.5rem minmax(0, 1fr); gap: 0 0.75rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
dl > div:last-child { border-bottom: 1px solid var(--line); }
dt code { font-weight: 600; overflow-wrap: anywhere; }
dt em, dt small { display: block; font-style: normal; font-size: 0.75rem; color: var(--quiet); }
dt em { color: var(--accent); }
dd { min-width: 0; }
dd > span { overflow-wrap: anywhere; }
dd > p { color: var(--quiet); font-size: 0.9rem; }
.inside { grid-column: 1 / -1; }
.inside > details > :not(summary) { margin-left: 0.2rem; padding-left: 1rem; border-left: 2px solid var(--line); }
.inside dl > div { grid-template-columns: 8.5rem minmax(0, 1fr); }
.inside dl > div:first-child { border-top: 0; }
.inside dl > div:last-child { border-bottom: 0; }
summary { cursor: pointer; color: var(--quiet); font-size: 0.88rem; width: fit-content; }
summary:hover { color: var(--ink); }
details[open] > summary { margin-bottom: 0.4rem; }
.columns > div > details { padding: 0.35rem 0; }
.columns > div > details > summary b { font: 600 0.82rem var(--mono); color: var(--ink); }
.columns > div > details.good > summary b { color: var(--good); }
.columns > div > details > p { font-size: 0.9rem; margin: 0 0 0.35rem 1.1rem; }
.columns > div > details > dl { margin: 0.5rem 0 1rem 1.1rem; }

.try { position: sticky; top: 0; align-self: start; min-width: 0; }
.row { display: flex; gap: 0.6rem; align-items: center; margin-top: 0.6rem; }
pre {
  padding: 0.75rem; background: var(--side); border: 1px solid var(--line); border-radius: 5px;
  overflow: auto; max-height: 24rem; line-height: 1.5;
}
output { display: block; }
output > p { margin: 1rem 0 0.4rem; }
output b { font-family: var(--mono); }
output small { color: var(--quiet); overflow-wrap: anywhere; }
.good > b { color: var(--good); }
.bad, .bad > b { color: var(--bad); }

@media (max-width: 66rem) { .columns { grid-template-columns: minmax(0, 1fr); } .try { position: static; } }
@media (max-width: 46rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 45vh; padding: 1.25rem; border-right: 0; border-bottom: 1px solid var(--line); }
  dl > div, .inside dl > div { grid-template-columns: minmax(0, 1fr); }
}
`;
