import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: AuditMode","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.AuditMode.md","filePath":"reference/api/variables/svc-runtime.AuditMode.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.AuditMode.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-auditmode" tabindex="-1">Variable: AuditMode <a class="header-anchor" href="#variable-auditmode" aria-label="Permalink to &quot;Variable: AuditMode&quot;">​</a></h1><blockquote><p><code>const</code> <strong>AuditMode</strong>: <code>Readonly</code>&lt;{ <code>OptIn</code>: <code>&quot;OptIn&quot;</code>; <code>OptOut</code>: <code>&quot;OptOut&quot;</code>; }&gt;</p></blockquote><p>Which events are audited: all but the excluded ones, or only the marked ones.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.AuditMode.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_AuditMode = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_AuditMode as default
};
