import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Bind frames","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/bind-frames.md","filePath":"decisions/bind-frames.md"}');
const _sfc_main = { name: "decisions/bind-frames.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="bind-frames" tabindex="-1">Bind frames <a class="header-anchor" href="#bind-frames" aria-label="Permalink to &quot;Bind frames&quot;">​</a></h1><p>A flush carries 26 array parameters. <code>pg</code> would turn each into an array literal, then into a buffer, then copy it into the message.</p><p><strong>Chosen:</strong> the arrays are written in PostgreSQL&#39;s binary format straight into one reusable buffer that already is the Bind message (<code>runtime/database/bind-frame.ts</code>), behind a prepared statement that is parsed once per connection. <code>pg</code> still owns the connection, authentication, errors and the pool.</p><table tabindex="0"><thead><tr><th>group commit, 256 callers</th><th>events/s</th></tr></thead><tbody><tr><td><code>unnest</code> of text arrays, as <code>pg</code> sends them</td><td>28,700</td></tr><tr><td><code>unnest</code> of binary arrays</td><td>38,900</td></tr><tr><td>the same with <code>json</code> instead of <code>jsonb</code></td><td>51,600</td></tr></tbody></table><p>Binary arrays are 1.28 to 1.35 times as fast as text arrays. <code>COPY</code> would add another 7 to 10 %, but cannot check positions in the same statement.</p><p>Results stay text: <code>pg</code> decodes every field of a row as UTF-8, so binary results are not to be had there. Large reads use <code>COPY … TO STDOUT (FORMAT binary)</code> and parse the rows themselves: 253,000 rows/s against 170,000.</p><p><strong>Price:</strong> about 150 lines that know the wire format of the array types, held by a test against the server for each of them.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/bind-frames.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const bindFrames = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  bindFrames as default
};
