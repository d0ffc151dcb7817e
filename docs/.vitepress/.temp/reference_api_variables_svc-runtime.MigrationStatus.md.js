import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: MigrationStatus","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.MigrationStatus.md","filePath":"reference/api/variables/svc-runtime.MigrationStatus.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.MigrationStatus.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-migrationstatus" tabindex="-1">Variable: MigrationStatus <a class="header-anchor" href="#variable-migrationstatus" aria-label="Permalink to &quot;Variable: MigrationStatus&quot;">​</a></h1><blockquote><p><code>const</code> <strong>MigrationStatus</strong>: <code>Readonly</code>&lt;{ <code>Applied</code>: <code>1</code>; <code>Failed</code>: <code>-1</code>; <code>MigratingInBackground</code>: <code>4</code>; <code>Skipped</code>: <code>3</code>; <code>Updated</code>: <code>2</code>; }&gt;</p></blockquote><p>The result of one item; <code>svc_schema_migrations</code> records the number.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.MigrationStatus.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_MigrationStatus = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_MigrationStatus as default
};
