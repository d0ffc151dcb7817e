import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: JsonObject","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.codec.JsonObject.md","filePath":"reference/api/types/svc-runtime.codec.JsonObject.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.codec.JsonObject.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-jsonobject" tabindex="-1">Type Alias: JsonObject <a class="header-anchor" href="#type-alias-jsonobject" aria-label="Permalink to &quot;Type Alias: JsonObject&quot;">​</a></h1><blockquote><p><strong>JsonObject</strong> = <code>Readonly</code>&lt;<code>Record</code>&lt;<code>string</code>, <code>unknown</code>&gt;&gt;</p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.codec.JsonObject.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_JsonObject = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_JsonObject as default
};
