export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #fbfbf9; --sheet: #fff; --ink: #1f2328; --quiet: #5b636e; --line: #dcdfe3; --accent: #1f5fbf; --bad: #b3261e;
  font: 15px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181b; --sheet: #1d2024; --ink: #e3e6ea; --quiet: #9aa3ad; --line: #343a41; --accent: #84b1f5; --bad: #f2948b; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); }
header { display: flex; align-items: center; gap: 1rem; padding: .6rem 1rem; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.05rem; }
h2 { margin: 1rem 0 .3rem; font-size: .8rem; font-weight: 600; color: var(--quiet); }
h2:first-child { margin-top: 0; }
section h2 { margin-bottom: .2rem; }
output { flex: 1; text-align: right; color: var(--quiet); }
output.bad { color: var(--bad); }
main { flex: 1; display: grid; grid-template-columns: minmax(13rem, 1fr) minmax(18rem, 2fr) minmax(18rem, 2fr); min-height: 0; }
nav, section { padding: .8rem 1rem; display: flex; flex-direction: column; min-width: 0; }
nav, section + section { border-inline: 1px solid var(--line); border-left: 0; }
section + section { border-right: 0; border-left: 1px solid var(--line); }
nav + section { border: 0; }
nav { display: block; overflow: auto; max-height: calc(100vh - 3.2rem); }
label { font-size: .8rem; font-weight: 600; color: var(--quiet); margin: .6rem 0 .2rem; }
label:first-child { margin-top: 0; }
textarea, pre, code { font: 13px/1.5 ui-monospace, monospace; }
textarea, pre { width: 100%; margin: 0; padding: .6rem; color: inherit; background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; }
textarea { resize: vertical; }
#query { flex: 1 1 auto; }
pre { flex: 1; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 6px; padding: .2rem .7rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
#run { color: var(--sheet); background: var(--accent); border-color: var(--accent); padding-inline: 1.2rem; }
ul { list-style: none; margin: 0; padding: 0; }
ul button { width: 100%; text-align: left; border-color: transparent; padding-inline: .4rem; margin-left: -.4rem; color: var(--accent); }
.about { color: var(--quiet); font-size: .85rem; margin: 0 0 .4rem; }
details { margin: .1rem 0; }
summary { cursor: pointer; }
details code { display: block; padding: .1rem 0 .1rem 1rem; overflow-wrap: anywhere; }
#reload { margin-top: 1rem; font-size: .85rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
@media (max-width: 60rem) { main { grid-template-columns: 1fr; } nav { order: 1; max-height: none; } nav, section + section { border: 0; border-top: 1px solid var(--line); } pre { min-height: 12rem; } }
`;
