import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: MigrationStatus","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.MigrationStatus.md","filePath":"reference/api/types/svc-runtime.MigrationStatus.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.MigrationStatus.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-migrationstatus" tabindex="-1">Type Alias: MigrationStatus <a class="header-anchor" href="#type-alias-migrationstatus" aria-label="Permalink to &quot;Type Alias: MigrationStatus&quot;">​</a></h1><blockquote><p><strong>MigrationStatus</strong> = <em>typeof</em> <a href="./../variables/svc-runtime.MigrationStatus"><code>MigrationStatus</code></a>[keyof <em>typeof</em> <a href="./../variables/svc-runtime.MigrationStatus"><code>MigrationStatus</code></a>]</p></blockquote><p>The result of one item; <code>svc_schema_migrations</code> records the number.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.MigrationStatus.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_MigrationStatus = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_MigrationStatus as default
};
