import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: Int","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.Int.md","filePath":"reference/api/types/svc-runtime.Int.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.Int.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-int" tabindex="-1">Type Alias: Int <a class="header-anchor" href="#type-alias-int" aria-label="Permalink to &quot;Type Alias: Int&quot;">​</a></h1><blockquote><p><strong>Int</strong> = <code>Flavoured</code>&lt;<code>number</code>, <code>&quot;Int&quot;</code>&gt;</p></blockquote><p>A 32-bit signed integer.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.Int.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_Int = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_Int as default
};
