import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: PermissionChangeType","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.PermissionChangeType.md","filePath":"reference/api/types/svc-runtime.PermissionChangeType.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.PermissionChangeType.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-permissionchangetype" tabindex="-1">Type Alias: PermissionChangeType <a class="header-anchor" href="#type-alias-permissionchangetype" aria-label="Permalink to &quot;Type Alias: PermissionChangeType&quot;">​</a></h1><blockquote><p><strong>PermissionChangeType</strong> = <em>typeof</em> <a href="./../variables/svc-runtime.PermissionChangeType"><code>PermissionChangeType</code></a>[keyof <em>typeof</em> <a href="./../variables/svc-runtime.PermissionChangeType"><code>PermissionChangeType</code></a>]</p></blockquote><p>How a user&#39;s rights changed.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.PermissionChangeType.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_PermissionChangeType = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_PermissionChangeType as default
};
