import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: AuditLevel","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.AuditLevel.md","filePath":"reference/api/types/svc-runtime.AuditLevel.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.AuditLevel.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-auditlevel" tabindex="-1">Type Alias: AuditLevel <a class="header-anchor" href="#type-alias-auditlevel" aria-label="Permalink to &quot;Type Alias: AuditLevel&quot;">​</a></h1><blockquote><p><strong>AuditLevel</strong> = <em>typeof</em> <a href="./../variables/svc-runtime.AuditLevel"><code>AuditLevel</code></a>[keyof <em>typeof</em> <a href="./../variables/svc-runtime.AuditLevel"><code>AuditLevel</code></a>]</p></blockquote><p>How important an audited message is.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.AuditLevel.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_AuditLevel = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_AuditLevel as default
};
