import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: AuditTopic","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.AuditTopic.md","filePath":"reference/api/variables/svc-runtime.AuditTopic.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.AuditTopic.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-audittopic" tabindex="-1">Variable: AuditTopic <a class="header-anchor" href="#variable-audittopic" aria-label="Permalink to &quot;Variable: AuditTopic&quot;">​</a></h1><blockquote><p><code>const</code> <strong>AuditTopic</strong>: <code>&quot;svc.core.auditevents&quot;</code> = <code>&quot;svc.core.auditevents&quot;</code></p></blockquote><p>The destination of queued audit envelopes.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.AuditTopic.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_AuditTopic = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_AuditTopic as default
};
