import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: PermissionChangeType","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.PermissionChangeType.md","filePath":"reference/api/variables/svc-runtime.PermissionChangeType.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.PermissionChangeType.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-permissionchangetype" tabindex="-1">Variable: PermissionChangeType <a class="header-anchor" href="#variable-permissionchangetype" aria-label="Permalink to &quot;Variable: PermissionChangeType&quot;">​</a></h1><blockquote><p><code>const</code> <strong>PermissionChangeType</strong>: <code>Readonly</code>&lt;{ <code>FullReassignment</code>: <code>&quot;FullReassignment&quot;</code>; <code>PermissionsAdded</code>: <code>&quot;PermissionsAdded&quot;</code>; <code>PermissionsRemoved</code>: <code>&quot;PermissionsRemoved&quot;</code>; <code>RolesAdded</code>: <code>&quot;RolesAdded&quot;</code>; <code>RolesRemoved</code>: <code>&quot;RolesRemoved&quot;</code>; }&gt;</p></blockquote><p>How a user&#39;s rights changed.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.PermissionChangeType.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_PermissionChangeType = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_PermissionChangeType as default
};
