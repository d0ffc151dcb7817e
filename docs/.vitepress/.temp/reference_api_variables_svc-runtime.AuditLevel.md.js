import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: AuditLevel","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.AuditLevel.md","filePath":"reference/api/variables/svc-runtime.AuditLevel.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.AuditLevel.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-auditlevel" tabindex="-1">Variable: AuditLevel <a class="header-anchor" href="#variable-auditlevel" aria-label="Permalink to &quot;Variable: AuditLevel&quot;">​</a></h1><blockquote><p><code>const</code> <strong>AuditLevel</strong>: <code>Readonly</code>&lt;{ <code>Critical</code>: <code>&quot;Critical&quot;</code>; <code>Info</code>: <code>&quot;Info&quot;</code>; <code>Warning</code>: <code>&quot;Warning&quot;</code>; }&gt;</p></blockquote><p>How important an audited message is.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.AuditLevel.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_AuditLevel = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_AuditLevel as default
};
