import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: MigrationFailureReason","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.MigrationFailureReason.md","filePath":"reference/api/variables/svc-runtime.MigrationFailureReason.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.MigrationFailureReason.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-migrationfailurereason" tabindex="-1">Variable: MigrationFailureReason <a class="header-anchor" href="#variable-migrationfailurereason" aria-label="Permalink to &quot;Variable: MigrationFailureReason&quot;">​</a></h1><blockquote><p><code>const</code> <strong>MigrationFailureReason</strong>: <code>Readonly</code>&lt;{ <code>ColumnTypeMismatch</code>: <code>3</code>; <code>DataCopyFailed</code>: <code>4</code>; <code>SqlError</code>: <code>1</code>; <code>SwapFailed</code>: <code>5</code>; <code>Timeout</code>: <code>2</code>; <code>Unknown</code>: <code>0</code>; }&gt;</p></blockquote><p>Why a migration failed.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.MigrationFailureReason.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_MigrationFailureReason = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_MigrationFailureReason as default
};
