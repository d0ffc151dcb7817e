import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: ScopeFilters","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.ScopeFilters.md","filePath":"reference/api/variables/svc-runtime.ScopeFilters.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.ScopeFilters.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-scopefilters" tabindex="-1">Variable: ScopeFilters <a class="header-anchor" href="#variable-scopefilters" aria-label="Permalink to &quot;Variable: ScopeFilters&quot;">​</a></h1><blockquote><p><code>const</code> <strong>ScopeFilters</strong>: <code>Readonly</code>&lt;{ <code>Customer</code>: <code>4</code>; <code>None</code>: <code>0</code>; <code>Organization</code>: <code>2</code>; <code>Principal</code>: <code>16</code>; <code>Tenant</code>: <code>1</code>; <code>User</code>: <code>8</code>; }&gt;</p></blockquote><p>Flags that combine with <code>|</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.ScopeFilters.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_ScopeFilters = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_ScopeFilters as default
};
