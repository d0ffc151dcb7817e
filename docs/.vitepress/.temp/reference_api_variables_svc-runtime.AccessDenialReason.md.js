import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: AccessDenialReason","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.AccessDenialReason.md","filePath":"reference/api/variables/svc-runtime.AccessDenialReason.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.AccessDenialReason.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-accessdenialreason" tabindex="-1">Variable: AccessDenialReason <a class="header-anchor" href="#variable-accessdenialreason" aria-label="Permalink to &quot;Variable: AccessDenialReason&quot;">​</a></h1><blockquote><p><code>const</code> <strong>AccessDenialReason</strong>: <code>Readonly</code>&lt;{ <code>InsufficientPermission</code>: <code>&quot;InsufficientPermission&quot;</code>; <code>InsufficientRole</code>: <code>&quot;InsufficientRole&quot;</code>; <code>PolicyRejected</code>: <code>&quot;PolicyRejected&quot;</code>; <code>ScopeViolation</code>: <code>&quot;ScopeViolation&quot;</code>; }&gt;</p></blockquote><p>Why access was denied.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.AccessDenialReason.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_AccessDenialReason = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_AccessDenialReason as default
};
