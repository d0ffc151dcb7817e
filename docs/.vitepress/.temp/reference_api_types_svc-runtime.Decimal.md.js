import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: Decimal","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.Decimal.md","filePath":"reference/api/types/svc-runtime.Decimal.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.Decimal.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-decimal" tabindex="-1">Type Alias: Decimal <a class="header-anchor" href="#type-alias-decimal" aria-label="Permalink to &quot;Type Alias: Decimal&quot;">​</a></h1><blockquote><p><strong>Decimal</strong> = <code>Flavoured</code>&lt;<code>string</code>, <code>&quot;Decimal&quot;</code>&gt;</p></blockquote><p>Exact decimal digits: text in memory and a JSON string on every wire.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.Decimal.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_Decimal = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_Decimal as default
};
