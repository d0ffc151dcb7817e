import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Audit in the commit","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/audit-in-the-commit.md","filePath":"decisions/audit-in-the-commit.md"}');
const _sfc_main = { name: "decisions/audit-in-the-commit.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="audit-in-the-commit" tabindex="-1">Audit in the commit <a class="header-anchor" href="#audit-in-the-commit" aria-label="Permalink to &quot;Audit in the commit&quot;">​</a></h1><p>The specification says: append first, then queue the audit; run the handler, then emit CommandAudited. Taken as two steps, a process that dies between them loses the audit. Measured with <code>kill -9</code>:</p><table tabindex="0"><thead><tr><th>the audit is written</th><th>events without audit</th></tr></thead><tbody><tr><td>after the handler returned, by a second statement (killed by a failpoint)</td><td>10 of 386 (2.6 %)</td></tr><tr><td>by a channel in memory, flushed every 250 ms</td><td>57 of 2,576 (2.2 %)</td></tr><tr><td><strong>in the same transaction as the events</strong></td><td><strong>0 of 4,182</strong></td></tr></tbody></table><p><strong>Chosen:</strong> events, EventAudited, CommandAudited, the idempotency record and the answer&#39;s positions are one unit and one commit. The order of the specification is kept inside the unit: the audit is staged after what it describes.</p><p>A command is audited only when its handler returned <em>and</em> its unit committed. One that was given up leaves no event and no audit; it leaves one CommandFailed.</p><p>The <code>timestamp</code> of an audit is the database&#39;s <code>recorded_at</code> of that commit. It is not part of the stored text; readers, views, hooks and messages take it from the column that the hash covers.</p><p><strong>Lesson kept:</strong> random kills did not find the bug of the first row in 2,665 commands; a failpoint at the commit boundary found it in seconds. There is one at every commit boundary (<code>SVC_FAILPOINTS</code>).</p><p><strong>Price:</strong> an audited command writes three rows instead of one: about half the throughput of an unaudited one.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/audit-in-the-commit.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const auditInTheCommit = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  auditInTheCommit as default
};
