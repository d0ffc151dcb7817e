import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: MigrationStrategy","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.MigrationStrategy.md","filePath":"reference/api/variables/svc-runtime.MigrationStrategy.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.MigrationStrategy.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-migrationstrategy" tabindex="-1">Variable: MigrationStrategy <a class="header-anchor" href="#variable-migrationstrategy" aria-label="Permalink to &quot;Variable: MigrationStrategy&quot;">​</a></h1><blockquote><p><code>const</code> <strong>MigrationStrategy</strong>: <code>Readonly</code>&lt;{ <code>ColumnCopy</code>: <code>&quot;ColumnCopy&quot;</code>; <code>DirectDdl</code>: <code>&quot;DirectDdl&quot;</code>; <code>EventReplay</code>: <code>&quot;EventReplay&quot;</code>; }&gt;</p></blockquote><p>How a migration changes the database.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.MigrationStrategy.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_MigrationStrategy = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_MigrationStrategy as default
};
