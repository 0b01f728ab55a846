var Gs=Object.defineProperty;var Js=(e,t)=>{for(var n in t)Gs(e,n,{get:t[n],enumerable:!0})};var x,qo,qn,qe,Vn,on,jo,tn,Uo,jn,Hn,Qs,Ct=Symbol.for("pv"),rn={},sn=[],Zs=/^m(i|n|o|s|text|space)$/,Un=Array.isArray,Wn=sn.slice,Qe=Object.assign;function Je(e){e&&e.parentNode&&e.remove()}function an(e,t,n){var o,r,s,i={},a=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:i[s]=t[s];return a>2&&(i.children=a>3?Wn.call(arguments,2):n),Ot(e,i,o,r,null)}function Ot(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ct,__v:r||++qo,__i:-1,__u:0};return!r&&x.vnode&&x.vnode(s),s}function Ze(e){return e.children}function ct(e,t){this.props=e,this.context=t,this.__g=0}function je(e,t){if(t==null)return e.__&&je(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:je(e)}function Xs(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=Qe({constructor:Ct},n)).__v=n.__v+1,x.vnode&&x.vnode(t),Kn(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||je(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Jo(r,t,s),n.__=n.__e=null,t.__e!=o&&Wo(t))}function Wo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Wo(e)}function Vo(e){(8&e.__g||(e.__g|=8,qe.push(e),on++))&&Vn==x.debounceRendering||((Vn=x.debounceRendering)||queueMicrotask)(Ko)}function Ko(){try{for(var e,t=1;qe.length;)qe.length>t&&qe.sort(jo),e=qe.shift(),t=qe.length,8&e.__g&&Xs(e)}finally{(on=qe.length)&&(Vn||queueMicrotask)(Ko)}}function Bo(e,t,n,o,r,s,i,a,l,f,c){var p,m,d,v,L,w,T=o.__k||sn,y=t.length;for(l=Ys(n,t,T,l,y),p=0;p<y;p++)(d=n.__k[p])!=null&&(m=~d.__i&&T[d.__i]||rn,d.__i=p,w=Kn(e,d,m,r,s,i,a,l,f,c),v=d.__e,(m.ref!=d.ref||8&m.__u)&&(m.ref&&Bn(m.ref,null,d,m),d.ref&&c.push(d.ref,d.__c||v,d)),L=L||v,4&d.__u?(l=zo(d,l,e,!m.__v),m.__e&&(m.__e=null)):typeof d.type=="function"&&w!==void 0?l=w:v&&(l=v.nextSibling),d.__u&=-21);return n.__e=L,l}function Ys(e,t,n,o,r){var s,i,a,l,f,c,p,m,d,v=n.length,L=v,w=0,T=0,y=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=y[s]=Ot(null,i):Un(i)?i=y[s]=Ot(Ze,{children:i}):i.constructor===Ct&&i.__b?i=y[s]=Ot(i.type,i.props,i.key,i.ref,i.__v):y[s]=i,l=s+w,i.__=e,i.__b=e.__b+1,a=null,~(f=i.__i=ei(i,n,l,L))&&(L--,(a=n[f])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,f==l-1?w--:f==l+1?w++:f!=l&&(f>l?w--:w++,T=1)):(~f||(r>v?w--:r<v&&w++),typeof i.type!="function"&&(i.__u|=4))):y[s]=null;if(T){for(c=[],p=[],s=0;s<r;s++)if((i=y[s])&&16&i.__u){for(w=0,m=c.length;w<m;)c[d=w+m>>1]<i.__i?w=d+1:m=d;c[w]=i.__i,p[s]=w+1}for(w=c.length;s--;)p[s]&&(p[s]==w?w--:y[s].__u|=4)}if(L)for(s=0;s<v;s++)!(a=n[s])||2&a.__u||(a.__e==o&&(o=je(a)),zn(a,a));return o}function zo(e,t,n,o){var r,s,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=zo(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=je(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ei(e,t,n,o){var r,s=e.key,i=e.type,a=t[n],l=a&&!(2&a.__u);if(a===null&&s==null||l&&s==a.key&&i==a.type)return n;if(o>(l?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r}return-1}function Ho(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function en(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Ho(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Ho(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=Hn[t]||(Hn[t]=ti(t)),(e.__a||(e.__a={}))[t]=jn,s=t!=(t=t.replace(Uo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ti(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[tn]==null)t[tn]=jn++;else if(t[tn]<this.__a[e])return;return n(x.event?x.event(t):t)}}}function Kn(e,t,n,o,r,s,i,a,l,f){var c,p,m,d,v,L,w,T,y,k,R,Fn,Do,Yt,ze,Fo,He,Ge,Ce=t.type;if(t.constructor!==Ct)return null;128&n.__u&&(l=32&n.__u,c=n.__c.__z)&&(t.__u|=l,p=s=[],c.nodeType==8?a=nn(c,s):s.push(c),a=s[0]||a),(c=x.__b)&&c(t);e:if(typeof Ce=="function"){m=i.length;try{if(T=t.props,y=(c=Ce.prototype)&&c.render,k=(c=Ce.contextType)&&o[c.__c],R=c?k?k.props.value:c.__:o,(d=n.__c)?(t.__c=d,2&d.__g&&(d.__g|=1)):(y?t.__c=d=new Ce(T,R):(t.__c=d=new ct(T,R),d.constructor=Ce,d.render=oi),k&&k.sub(d),d.state||(d.state={}),d.__n=o,d.__g|=8,d.__h=[],d.__k=[]),y&&(d.__s||(d.__s=d.state),Ce.getDerivedStateFromProps&&(d.__s==d.state&&(d.__s=Qe({},d.__s)),Qe(d.__s,Ce.getDerivedStateFromProps(T,d.__s)))),v=d.props,L=d.state,d.__v=t,n.__c){if(T!==v&&y&&!Ce.getDerivedStateFromProps&&d.componentWillReceiveProps&&d.componentWillReceiveProps(T,R),t.__v==n.__v&&!(8&d.__g)||!(4&d.__g)&&d.shouldComponentUpdate&&d.shouldComponentUpdate(T,d.__s,R)===!1){t.__v!=n.__v&&(d.props=T,d.state=d.__s,d.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(re){re&&(re.__=t)}),sn.push.apply(d.__h,d.__k),d.__k=[],d.__h.length&&i.push(d),a=je(n);break e}d.componentWillUpdate&&d.componentWillUpdate(T,d.__s,R),y&&d.componentDidUpdate&&d.__h.push(function(){d.componentDidUpdate(v,L,w)})}else y&&!Ce.getDerivedStateFromProps&&d.componentWillMount&&d.componentWillMount(),y&&d.componentDidMount&&d.__h.push(d.componentDidMount);d.context=R,d.props=T,d.__P=e,d.__g&=-5,Fn=x.__r,Do=y?25:0;do d.__g&=-9,Fn&&Fn(t),c=d.render(d.props,d.state=d.__s,d.context);while(8&d.__g&&++Do<25);y&&(sn.push.apply(d.__h,d.__k),d.__k=[]),d.state=d.__s,d.getChildContext&&(o=Qe({},o,d.getChildContext())),y&&n.__c&&d.getSnapshotBeforeUpdate&&(w=d.getSnapshotBeforeUpdate(v,L)),Yt=c&&c.type===Ze&&c.key==null?c.props.children:c,T.__P&&(c=a,r=(e=T.__P).namespaceURI,l=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(re){re&&zn(re,re)}),n.__k=null),a=n.__k?je(n,0):null),a=Bo(e,Un(Yt)?Yt:[Yt],t,n,o,r,s,i,a,l,f),T.__P&&(t.__e=null,a=c),t.__u&=-161,p&&p.some(Je),d.__h.length&&i.push(d),1&d.__g&&(d.__g&=-4)}catch(re){if(i.length=m,t.__v=null,l||s)if(re&&re.then){if(t.__u|=128|l,s){for(~(He=s.indexOf(a||void 0))||(He=s.length);(Ge=s[He-1])&&Ge.nodeType==8;)He--;for(;He<s.length;He++)if(Ge=s[He])if(s[He]=null,ze){if(Ge==Fo)break}else{if(Ge.nodeType!=8)break;Ge.data.startsWith("$s")&&(Fo=nn(ze=Ge))}}if(!ze){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;ze=a}(c=nn(ze=t.__c.__z||(t.__c.__z=ze)))?(t.__e=ze,a=c):t.__e=a,a=a&&a.nextSibling}else s&&s.some(Je);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),re&&re.then||Go(t),x.__e(re,t,n)}}else a=t.__e=ni(n.__e,t,n,o,r,s,i,l,f,e);return(c=x.diffed)&&c(t),a}function nn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Go(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Go))}function Jo(e,t,n){for(var o=0;o<n.length;)Bn(n[o++],n[o++],n[o++]);x.__c&&x.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){x.__e(s,r.__v)}})}function ni(e,t,n,o,r,s,i,a,l,f){var c,p,m,d,v,L,w,T,y=n.props||rn,k=t.props,R=t.type;if(R=="svg"?r="http://www.w3.org/2000/svg":R=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(c=0;c<s.length;c++)if((v=s[c])&&(R?v.localName==R:v.nodeType==3)){e=v,s[c]=null;break}}if(!e){if(T=f.ownerDocument||document,!R)return T.createTextNode(k);e=T.createElementNS(r,R,k.is?k:f),a&&(x.__m&&x.__m(t,s),a=!1),s=null}if(R){if(f=R=="template"&&e.content||e,s=R=="textarea"&&k.defaultValue!=null?null:s&&Wn.call(f.childNodes),!a&&s)for(y={},c=0;c<e.attributes.length;c++)y[(v=e.attributes[c]).name]=v.value;for(c in y)v=y[c],c=="dangerouslySetInnerHTML"?m=v:c=="children"||c in k||c=="value"&&"defaultValue"in k||c=="checked"&&"defaultChecked"in k||en(e,c,null,v,r);for(c in k)v=k[c],c=="children"?d=v:c=="dangerouslySetInnerHTML"?p=v:c=="value"?L=v:c=="checked"?w=v:a&&typeof v!="function"||y[c]===v||en(e,c,v,y[c],r);p?(a||m&&(p.__html==m.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(m&&(e.textContent=""),(R=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Zs.test(R))&&(r="http://www.w3.org/1999/xhtml"),Bo(f,Un(d)?d:[d],t,n,o,r,s,i,s?s[0]:n.__k&&je(n,0),a,l),s&&s.some(Je)),a&&R!="textarea"||(c="value",R=="progress"&&L==null?e.removeAttribute(c):L==null||L===e[c]&&(R!="progress"||L)||en(e,c,L,y[c],r),c="checked",w!=null&&w!=e[c]&&en(e,c,w,y[c],r))}else y===k||a&&e.data==k||(e.data=k);return e}function Bn(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){x.__e(r,n)}}function zn(e,t,n){var o,r,s,i;if(x.unmount&&x.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Bn(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){x.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&zn(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=nn(o,s=[]))&&(o==e.__e&&s.some(Je),Je(r),Je(o)),n||Je(e.__e),e.__e=e.__c=e.__=null}function oi(e,t,n){return this.constructor(e,n)}function Qo(e,t){var n,o,r,s;x.__&&x.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Ot(Ze,{children:[e]}),r=[],s=[],Kn(t,t.__k,o||rn,rn,t.namespaceURI,o?null:t.firstChild?Wn.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Jo(r,t.__k,s),t.__k.props.children=null}x={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw on=0,e}},qo=0,qn=function(e){return e!=null&&e.constructor===Ct},ct.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Qe({},this.state)),typeof e=="function"&&(e=e(Qe({},n),this.props)),e&&(Qe(n,e),this.__v&&(t&&this.__k.push(t),Vo(this)))},ct.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Vo(this))},ct.prototype.render=Ze,qe=[],on=0,jo=function(e,t){return e.__v.__b-t.__v.__b},tn=Symbol(),Uo=/(PointerCapture)$|Capture$/i,jn=0,Hn={},Qs=0;var ft,H,Gn,Zo,Jn=Object.is,ln=0,ir=[],Qn=[],F=x,Xo=F.__b,Yo=F.__r,er=F.diffed,tr=F.__c,nr=F.unmount,or=F.__;function un(e,t){F.__h&&F.__h(H,e,ln||t),ln=0;var n=H.__H||(H.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function Te(e){return ln=1,ri(lr,e)}function ri(e,t,n){var o=un(ft++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):lr(void 0,t),function(s){var i=(o.__N||o.__)[0],a=o.t(i,s);Jn(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=H,!H.__f)){H.__f=!0;var r=H.shouldComponentUpdate;H.shouldComponentUpdate=function(s,i,a){var l=this.__H;if(!l)return!0;var f=!1,c=this.props!=s;if(l.__.some(function(m){m.__N&&(f=!0,Jn(m.__[0],m.__N[0])||(c=!0))}),r){var p=r.call(this,s,i,a);return f?p||c:p}return!f||c}}return o.__}function se(e,t){var n=un(ft++,3);!F.__s&&Xn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,H.__H.__h.push(n))}function ar(e,t){var n=un(ft++,4);!F.__s&&Xn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,H.__h.push(n))}function X(e){return ln=5,Et(function(){return{current:e}},[])}function Et(e,t){var n=un(ft++,7);return Xn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function si(){var e;do{for(;e=Qn.shift();)try{Tt(e)}catch(n){F.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ir.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Tt),t.__h.some(Zn),t.__h=[]}catch(n){t.__h=[],F.__e(n,e.__v)}}}while(Qn.length)}F.__b=function(e){H=null,Xo&&Xo(e)},F.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),or&&or(e,t)},F.__r=function(e){Yo&&Yo(e),ft=0;var t=(H=e.__c).__H;t&&(Gn==H?H.__h=[]:(t.__h.some(Tt),t.__h.some(Zn),ft=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Gn=H},F.diffed=function(e){er&&er(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&sr(ir.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Gn=H=null},F.__c=function(e,t){t.some(function(n){try{n.__h.some(Tt),n.__h=n.__h.filter(function(o){return!o.__||Zn(o)})}catch(o){n.__h=[function(){throw o}]}}),tr&&tr(e,t)},F.unmount=function(e){nr&&nr(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,sr(Qn.push(r))}else Tt(r)}catch(s){t=s}}),o.__H=void 0,t&&F.__e(t,o.__v))};var rr=typeof requestAnimationFrame=="function";function ii(e){var t,n=function(){clearTimeout(o),rr&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);rr&&(t=requestAnimationFrame(n))}function sr(e){e!=1&&Zo==F.requestAnimationFrame||((Zo=F.requestAnimationFrame)||ii)(si)}function Tt(e){var t=H,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),H=t}function Zn(e){var t=H;e.__c=e.__(),H=t}function Xn(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Jn(n,e[o])})}function lr(e,t){return typeof t=="function"?t(e):t}var ai=Symbol.for("preact-signals");function pn(){if(Ee>1)Ee--;else{var e,t=!1;for((function(){var r=cn;for(cn=void 0;r!==void 0;){var s=r.S;if(s.v===r.v)for(var i=s.t;i!==void 0;i=i.x)i.i===r.i&&(i.i=s.i);r=r.o}})();Mt!==void 0;){var n=Mt;for(Mt=void 0,dn++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&dr(n))try{n.c()}catch(r){t||(e=r,t=!0)}n=o}}if(dn=0,Ee--,t)throw e}}function G(e){if(Ee>0)return e();Yn=++li,Ee++;try{return e()}finally{pn()}}var Nt,I=void 0;function J(e){var t=I,n=Nt;I=void 0,Nt=void 0;try{return e()}finally{I=t,Nt=n}}var Mt=void 0,Ee=0,dn=0,li=0,Yn=0,cn=void 0,fn=0;function ur(e){if(I!==void 0){var t=e.n;if(t===void 0||t.t!==I)return t={i:0,S:e,p:I.s,n:void 0,t:I,e:void 0,x:void 0,r:t},I.s!==void 0&&(I.s.n=t),I.s=t,e.n=t,32&I.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=I.s,t.n=void 0,I.s.n=t,I.s=t),t}}function q(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}q.prototype.brand=ai;q.prototype.h=function(){return!0};q.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:J(function(){var o;(o=t.W)==null||o.call(t)}))};q.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&J(function(){var r;(r=t.Z)==null||r.call(t)}))}};q.prototype.subscribe=function(e){var t=this;return E(function(){var n=t.value;J(function(){return e(n)})},{name:"sub"})};q.prototype.valueOf=function(){return this.value};q.prototype.toString=function(){return this.value+""};q.prototype.toJSON=function(){return this.value};q.prototype.peek=function(){var e=this;return J(function(){return e.value})};Object.defineProperty(q.prototype,"value",{get:function(){var e=ur(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(dn>100)throw new Error("Cycle detected");(function(n){Ee!==0&&dn===0&&n.l!==Yn&&(n.l=Yn,cn={S:n,v:n.v,i:n.i,o:cn})})(this),this.v=e,this.i++,fn++,Ee++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{pn()}}}});function g(e,t){return new q(e,t)}function dr(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function cr(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function fr(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function Xe(e,t){q.call(this,void 0,t),this.x=e,this.s=void 0,this.g=fn-1,this.f=4}Xe.prototype=new q;Xe.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===fn))return!0;if(this.g=fn,this.f|=1,this.i>0&&!dr(this))return this.f&=-2,!0;var e=I;try{cr(this),I=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return I=e,fr(this),this.f&=-2,!0};Xe.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}q.prototype.S.call(this,e)};Xe.prototype.U=function(e){if(this.t!==void 0&&(q.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Xe.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Xe.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=ur(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function P(e,t){return new Xe(e,t)}function pr(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Ee++;var n=I;I=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,eo(e),o}finally{I=n,pn()}}}function eo(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,pr(e)}function ui(e){if(I!==this)throw new Error("Out-of-order effect");fr(this),I=e,this.f&=-2;try{8&this.f&&eo(this)}finally{pn()}}function pt(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Nt&&Nt.push(this)}pt.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};pt.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,pr(this),cr(this),Ee++;var e=I;return I=this,ui.bind(this,e)};pt.prototype.N=function(){2&this.f||(this.f|=2,this.u=Mt,Mt=this)};pt.prototype.d=function(){this.f|=8,1&this.f||eo(this)};pt.prototype.dispose=function(){this.d()};function E(e,t){var n=new pt(e,t);try{n.c()}catch(r){throw n.d(),r}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var mr,At,mn,di=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var hr=[];E(function(){mr=this.N})();function mt(e,t){x[e]=t.bind(null,x[e]||function(){})}function It(e){if(mn){var t=mn;mn=void 0,t()}mn=e&&e.S()}function yr(e){var t=this,n=e.data,o=fi(n);o.name="ReactiveDom",o.value=n;var r=Et(function(){for(var a=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var f=P(function(){var d=o.value.value;return d===0?0:d===!0?"":d||""}),c=P(function(){return!Array.isArray(f.value)&&!qn(f.value)}),p=E(function(){if(this.N=gr,c.value){var d=f.value;a.__v&&a.__v.__e&&a.__v.__e.nodeType===3&&(a.__v.__e.data=d)}}),m=t.__$u.d;return t.__$u.d=function(){p(),m.call(this)},[c,f]},[]),s=r[0],i=r[1];return s.value?i.peek():i.value}yr.displayName="ReactiveTextNode";Object.defineProperties(q.prototype,{constructor:{configurable:!0,value:an(Ze,null).constructor},type:{configurable:!0,value:yr},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});mt("__b",function(e,t){if(It(),At=void 0,typeof t.type=="string"){var n,o=t.props;for(var r in o)if(r!=="children"){var s=o[r];s instanceof q&&(n||(t.__np=n={}),n[r]=s,o[r]=s.peek())}}e(t)});mt("__r",function(e,t){if(e(t),t.type!==Ze){It();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(r,s){var i;return E(function(){i=this},{name:s}),i.c=r,i})((function(r){return function(){var s;di&&((s=this.y)==null||s.call(this)),r.__$f|=1,r.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),At=o,It(n)}});mt("__e",function(e,t,n,o){It(),At=void 0,e(t,n,o)});mt("diffed",function(e,t){It(),At=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,r=t.props,s=n.U;if(s)for(var i in s){var a=s[i];a===void 0||o&&i in o||(a.d(),s[i]=void 0)}if(o){s||(s={},n.U=s);for(var l in o){var f=s[l],c=o[l];f===void 0?(f=ci(n,l,c,r),s[l]=f):f.o(c,r)}}}e(t)});function ci(e,t,n,o){var r=t in e&&e.ownerSVGElement===void 0,s=g(n);return{o:function(i,a){s.value=i,o=a},d:E(function(){this.N=gr;var i=s.value.value;o[t]!==i&&(o[t]=i,r?e[t]=i:i!=null&&(i!==!1||t[4]==="-")?e.setAttribute(t,i):e.removeAttribute(t))})}}mt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var r in o){var s=o[r];s&&s.d()}}}var i=t.__np;if(i){var a=t.props;for(var l in i)a[l]=i[l]}t.__np=void 0}else{var f=t.__c;if(f){f.__$f|=8;var c=f.__$u;c&&(f.__$u=void 0,c.d())}}e(t)});mt("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});ct.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var r in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(o||s||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var i in e)if(i!=="__source"&&e[i]!==this.props[i])return!0;for(var a in this.props)if(!(a in e))return!0;return!1};function fi(e,t){return Et(function(){return g(e,t)},[])}function vr(e,t){var n=X(e);return n.current=e,At.__$f|=4,Et(function(){return P(function(){return n.current()},t)},[])}var pi=function(e){queueMicrotask(function(){queueMicrotask(e)})};function mi(){G(function(){for(var e;e=hr.shift();)mr.call(e)})}function gr(){hr.push(this)===1&&(x.requestAnimationFrame||pi)(mi)}var _r=new Set(["id","petId","categoryId"]),hi=/("(?:id|petId|categoryId)"\s*:\s*)(-?(?:0|[1-9][0-9]*))(?![0-9.eE])|"(?:[^"\\]|\\.)*"?/g;function Ne(e){let t=e.replace(hi,(n,o,r)=>o===void 0?n:`${o}"${r}"`);return JSON.parse(t,function(n,o){return typeof o!="string"||!_r.has(n)||!/^-?(?:0|[1-9][0-9]*)$/.test(o)?o:(Object.defineProperty(this,"toJSON",{value:br,configurable:!0,writable:!0}),BigInt(o))})}function br(){let{rawJSON:e}=JSON,t=o=>e?.(String(o))??(Number.isSafeInteger(Number(o))?Number(o):String(o)),n=Object.entries(this).map(([o,r])=>[o,typeof r=="bigint"?t(r):r]);return Object.fromEntries(n)}function ie(e){return typeof e=="bigint"?String(e):typeof e!="object"||e===null?JSON.stringify(e):Array.isArray(e)?`[${e.map(n=>ie(n)??"null")}]`:"toJSON"in e&&typeof e.toJSON=="function"&&e.toJSON!==br?ie(e.toJSON()):`{${Object.entries(e).map(([n,o])=>{let r=typeof o=="number"&&_r.has(n)?ve(o):ie(o);return r&&`${JSON.stringify(n)}:${r}`}).filter(Boolean)}}`}function ve(e){if(typeof e=="bigint"||Number.isSafeInteger(e))return String(e);throw new TypeError(`${e} is not an exact integer; write it as a bigint, such as 1n`)}var Lt=["available","pending","sold"],hn=e=>{if(e===null||!/^-?\d{1,19}$/.test(e))return;let t=BigInt.asIntN(64,BigInt(e));return String(t)===e?t:void 0},no=128,yn=g(location.search),to=!1;addEventListener("popstate",()=>{to=!1,yn.value=location.search});var b=P(()=>{let e=new URLSearchParams(yn.value);return{category:hn(e.get("category")),status:Lt.find(t=>t===e.get("status")),search:e.get("search")?.trim().slice(0,no)||void 0,sort:e.get("sort")==="oldest"?"oldest":void 0,view:e.get("view")==="table"?"table":void 0,show:e.get("show")==="orders"?"orders":void 0,pet:hn(e.get("pet"))}}),ht=48,yi=P(()=>{let{status:e,category:t,search:n,sort:o}=b.value;return ie({limit:ht,status:e,categoryId:t,search:n,order:o?"asc":"desc"})}),ge=P(()=>Ne(yi.value));function Me(e){let t=new URLSearchParams;for(let[n,o]of Object.entries({...b.value,...e}))o!==void 0&&t.set(n,String(o));return`${location.pathname}${t.size>0?`?${t}`:""}`}function B(e,t=!1){let n=e.pet!==void 0;t||n&&b.value.pet!==void 0?history.replaceState(history.state,"",Me(e)):history.pushState(n?{}:null,"",Me(e)),yn.value=location.search}if(history.state===null&&b.value.pet!==void 0){let{href:e}=location;history.replaceState(null,"",Me({pet:void 0})),history.pushState({},"",e)}function Ye(){history.state===null?(history.replaceState(null,"",Me({pet:void 0})),yn.value=location.search):to||(to=!0,history.back())}var vo={};Js(vo,{BadRequestError:()=>ro,ConflictError:()=>lo,ConnectionError:()=>Ae,ContentTooLargeError:()=>fo,ForbiddenError:()=>so,GoneError:()=>uo,HeadersTooLargeError:()=>yo,InternalError:()=>Rt,InvalidWebhookError:()=>oo,MethodNotAllowedError:()=>io,NotFoundError:()=>tt,PetStoreError:()=>ce,PreconditionFailedError:()=>co,RefusedError:()=>Ie,RequestTimeoutError:()=>ao,TimeoutError:()=>Le,TooManyRequestsError:()=>vt,UnauthorizedError:()=>yt,UnavailableError:()=>Dt,UnexpectedAnswerError:()=>et,UnprocessableError:()=>ho,UnsupportedMediaTypeError:()=>mo,UriTooLongError:()=>po});var ce=class extends Error{constructor(t,n={}){super(t,n),Object.assign(this,n)}},Ie=class extends ce{};Ie.prototype.name="RefusedError";function V(e,t){let n=class extends(t===void 0?ce:Ie){};return Object.assign(n.prototype,{name:e,status:t}),n}var Ae=class extends V("ConnectionError"){},Le=class extends V("TimeoutError"){},et=class extends V("UnexpectedAnswerError"){},oo=class extends V("InvalidWebhookError"){},ro=class extends V("BadRequestError",400){},yt=class extends V("UnauthorizedError",401){},so=class extends V("ForbiddenError",403){},tt=class extends V("NotFoundError",404){},io=class extends V("MethodNotAllowedError",405){},ao=class extends V("RequestTimeoutError",408){},lo=class extends V("ConflictError",409){},uo=class extends V("GoneError",410){},co=class extends V("PreconditionFailedError",412){},fo=class extends V("ContentTooLargeError",413){},po=class extends V("UriTooLongError",414){},mo=class extends V("UnsupportedMediaTypeError",415){},ho=class extends V("UnprocessableError",422){},vt=class extends V("TooManyRequestsError",429){},yo=class extends V("HeadersTooLargeError",431){},Rt=class extends V("InternalError",500){},Dt=class extends V("UnavailableError",503){};function wr({status:e,headers:t},n){let[,o,r]=/r=(\d+);t=(\d+)/.exec(t.get("ratelimit")??"")??[],s=o?{remaining:Number(o),resetSeconds:Number(r)}:void 0;return{status:e,headers:t,requestId:t.get("x-request-id")??n,rateLimit:s}}function $r(e,t,n){let{status:o,headers:r,requestId:s}=e,i={status:o,requestId:s,retryAfterMs:bi(r.get("retry-after"))},a=(c,p)=>new et(`The response, with status ${o}, ${c}.`,{...i,cause:p}),l=o>=200&&o<300||o===304;try{let c=t===""?void 0:Ne(t);if(l&&n(c))return{...e,body:c};let{code:p,message:m,...d}=Object(c);if(!l&&typeof p=="string"&&typeof m=="string"&&d.status===o)return new(vi(o))(m,{...i,code:p})}catch(c){return a("is not JSON",c)}let f=r.get("location");return a(f===null?"did not come from the service":`redirects to ${f}`)}function vi(e){return Object.values(vo).find(({prototype:n})=>n.status===e)??Ie}var gi=250,_i=8e3,vn=e=>e instanceof Ae||e instanceof Le||e.status===503,gn=e=>vn(e)||e.status===429||e.status===408||e.code==="idempotency_in_progress",go=(e,t)=>t()*Math.min(_i,gi*2**e);function bi(e){if(e===null)return;let t=/^[0-9]+$/.test(e)?Number(e)*1e3:Date.parse(e)-Date.now();return Number.isNaN(t)?void 0:Math.max(0,t)}var Ft=async(e,t)=>{await new Promise(n=>{let o=()=>{clearTimeout(r),t?.removeEventListener("abort",o),n()},r=setTimeout(o,t?.aborted?0:e);t?.addEventListener("abort",o)}),t?.throwIfAborted()};var wi="1.0.0",_n=class{#e;#t=new WeakMap;constructor(t){let{fetch:n=(s,i)=>globalThis.fetch(s,i)}=t??{},{sleep:o=Ft,random:r=Math.random}=t??{};this.#e={...t,...xi(t),fetch:n,sleep:o,random:r}}async call(t,n,o={}){let r=s=>t==="DELETE"||Object(s)===s;return(await this.send(t,n,{...o,isExpected:r})).body}add(t,n,{idempotencyKey:o=gt(),...r}={}){return this.call("POST",t,{...r,body:n,idempotencyKey:o})}act(t,n){return this.call("POST",t,{...n,isIdempotent:!0})}remember(t,n){let o=n.get("etag");return o&&Object(t)===t&&this.#t.set(t,o),t}etagOf(t){return this.#t.get(t)}async send(t,n,o={}){let{signal:r,maxRetries:s=this.#e.maxRetries??3}=o,{maxRetryAfterMs:i=this.#e.maxRetryAfterMs??6e4}=o,a=this.#e.baseUrl+xr(n,o.query),l=this.#n(t,o),f=!1;for(let c=0;;c++){r?.throwIfAborted();let p=await this.#r(a,l,o);if(!(p instanceof ce))return this.remember(p.body,p.headers),p;if(f&&t==="DELETE"&&p instanceof tt)return{status:204,headers:new Headers,body:void 0,rateLimit:void 0,requestId:_o(l)};f||=vn(p);let{retryAfterMs:m=0}=p;if(c>=s||m>i||!Pi(l,o,p))throw p;await this.#e.sleep(m+go(c,this.#e.random),r)}}pause(t,n){return this.#e.sleep(go(t,this.#e.random),n)}async*pieces(t,n){let{baseUrl:o,fetch:r,sleep:s}=this.#e,{signal:i}=n,a=new AbortController,l=i?AbortSignal.any([i,a.signal]):a.signal,f=async p=>{let m=new AbortController;s($i,m.signal).then(()=>a.abort()).catch(()=>{});let d=await p.catch(()=>{}).finally(()=>m.abort());return i?.throwIfAborted(),d};i?.throwIfAborted();let c=this.#n("GET",n);try{let p=await f(r(o+xr(t,n.query),{...c,signal:l}));if(p&&this.#o(p,c,n),!p?.ok||!p.body)return;let m=p.body.pipeThrough(new TextDecoderStream).getReader();for(;;){let d=await f(m.read());if(!d||d.done)return;yield d.value}}finally{a.abort()}}#n(t,{body:n,idempotencyKey:o,ifMatch:r,headers:s}){let{apiKey:i,headers:a}=this.#e,l=new Headers({Authorization:`Bearer ${i}`,"X-Request-Id":gt()});"location"in globalThis||l.set("User-Agent",`petstore-client/${wi}`),n&&l.set("Content-Type","application/json"),o!==void 0&&l.set("Idempotency-Key",o);let f=typeof r=="object"?this.etagOf(r):r;if(f)l.set("If-Match",f.replace(/^W\//,""));else if(r!==void 0)throw new TypeError("ifMatch: not what create, get, update or put of this client returned");for(let[p,m]of Object.entries({...a,...s}))l.set(p,m);return{method:t,headers:l,redirect:"manual",...(t==="DELETE"||t==="PUT")&&{keepalive:!1},...n&&{body:ie(n)}}}async#r(t,n,o){let{signal:r,timeoutMs:s=this.#e.timeoutMs??3e4,isExpected:i=()=>!0}=o,a=AbortSignal.timeout(s),l=r?AbortSignal.any([r,a]):a,f,c;try{f=await this.#e.fetch(t,{...n,signal:l}),c=await f.text()}catch(p){r?.throwIfAborted();let m={cause:p,requestId:_o(n)};if(a.aborted)return new Le(`No response within ${s} ms.`,m);let{host:d,origin:v}=new URL(t),L=`The connection to ${d} failed before the response was complete.`;return new Ae(L+Si(v),m)}return $r(this.#o(f,n,o),c,i)}#o(t,n,{onResponse:o}){let r=wr(t,_o(n));return this.#e.onResponse?.(r),o?.(r),r}},$i=3e4,gt=()=>Array.from(crypto.getRandomValues(new Uint8Array(16)),e=>e.toString(16).padStart(2,"0")).join(""),_o=({headers:e})=>e.get("x-request-id")??"";function xr(e,t={}){let n=new URLSearchParams,o=r=>typeof r=="string"?r:ve(r);for(let[r,s]of Object.entries(t))s!==void 0&&n.set(r,[s].flat().map(o).join());return n.size===0?e:`${e}?${n}`}function xi({baseUrl:e,apiKey:t}={}){let n=/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?\/v[0-9]+(?=\/?$)/i.exec(e??"")?.[0],o=/^[!-~]+$/.exec(String(t??"").trim())?.[0];if(n&&o)return{baseUrl:n,apiKey:o};let r=[n?[]:"baseUrl must begin with https:// or http:// and end in the version, as in https://shop.example/v1",o?[]:"apiKey must be a key of the service, as made by `petstore keys create`"];throw new TypeError(`new PetStore({ baseUrl, apiKey }): ${r.flat().join("; ")}`)}function Si(e){let{location:t}=globalThis;return!t||t.origin===e?"":` The cause may be CORS: the operator must list ${t.origin} in CORS_ORIGINS.`}function Pi({method:e,headers:t},n,o){let{idempotencyKey:r,isIdempotent:s=r!==void 0}=n;return vn(o)?e==="POST"?s:e==="DELETE"||!t.has("if-match"):gn(o)}var ki=/(?<=^|[,;|\t\r\n])(?=[\s"]*[=+@＝＋－＠-])/g,Sr=e=>/^-?[0-9]+$/.test(e)?e:e.replace(ki,"'"),bo=e=>e.normalize("NFKC").replace(/\s+/g," ").trim().toLowerCase();var ae="petstore.key";function kr(e){try{return window[e]}catch{return}}var nt=kr("sessionStorage"),Ue=kr("localStorage"),O=g(nt?.getItem(ae)??Ue?.getItem(ae)??null),bn=g(O.value!==null&&Ue?.getItem(ae)===O.value),Vt=new BroadcastChannel(ae),Pr="";function Or(e){nt?.setItem(ae,e),G(()=>{O.value=e,bn.value=Ue?.getItem(ae)===e})}function Cr(e,t){t?Ue?.setItem(ae,e):Ue?.getItem(ae)===e&&Ue.removeItem(ae),Or(e),Vt.postMessage(e)}function _t(){for(let e of[nt,Ue])e?.getItem(ae)===O.value&&e.removeItem(ae);G(()=>{O.value=null,bn.value=!1})}function Tr(){_t(),Ue?.removeItem(ae),Vt.postMessage(null)}function Er(e){Vt.onmessage=({data:t})=>{t===null?(e(),_t()):t!==Pr?(O.value===null||O.value===t)&&Or(t):O.value!==null&&Vt.postMessage(O.value)},O.value===null&&Vt.postMessage(Pr)}var le=class{#e;#t;constructor(t,n,o={},r){this.#e=o,this.#t=async s=>{let{body:i,headers:a}=await t.send("GET",n,{...r,query:s,isExpected:Array.isArray}),l=i;return Array.isArray(s.id)&&s.id.length===1&&t.remember(l[0],a),{items:l,next:Oi(a.get("link"))}}}async page(){return this.#t(this.#e)}async toArray({limit:t=1/0}={}){let n=[];if(t>0){for await(let o of this.#n(Math.min(t,100)))if(n.push(o)>=t)break}return n}[Symbol.asyncIterator](){return this.#n(100)}async*#n(t){let{cursor:n,after:o,from:r,limit:s=t,...i}=this.#e,a={cursor:n,after:o,from:r};for(;;){let{items:l,next:f}=await this.#t({...i,limit:s,...a});if(yield*l,f===void 0||f===a.cursor)return;a={cursor:f}}}};function Oi(e){let[,t=""]=/<([^>]*)>[^<]*;\s*rel="?next"?/i.exec(e??"")??[];return new URLSearchParams(t.split("?")[1]).get("cursor")??void 0}var Ci=64,wn=class{#e;constructor(t){this.#e=t}list(t,n){return new le(this.#e,"/events",{...t},n)}async*follow({after:t,cursor:n,...o}={},r={}){let s={start:{after:t,cursor:n}};for(let i=0;;){let a=yield*this.#t(o,s,r);i=a?0:i+1;let l=a?0:Math.min(Ci,2**(i-1));do l>0&&!(yield*this.#n(o,s,r))&&(l=0),await this.#e.pause(i,r.signal);while(--l>0)}}async*#t(t,n,o){let{after:r,cursor:s}=n.start,i={...o.headers,...r!==void 0&&{"Last-Event-ID":String(r)}},a=!1,l="",f={...t,cursor:s};for await(let c of this.#e.pieces("/events/stream",{...o,headers:i,query:f})){let p=(l+c).split(`

`);l=p.pop()??"";for(let{id:m,data:d,"":v}of p.map(Ti))a||=d!==void 0||v!==void 0,m!==void 0&&(n.start={after:m},d!==void 0&&(yield Ne(d)))}return a}async*#n(t,n,o){try{for(;;){let{after:r,cursor:s}=n.start;r===void 0&&s===void 0&&(n.start={from:"now"});let{items:i,next:a}=await this.list({limit:100,...t,...n.start},o).page();if(yield*i,n.start={cursor:a},a===s)return!0}}catch(r){if(!(r instanceof ce&&(gn(r)||(r.status??0)>=500)))throw r;return o.onError?.(r),!1}}},Ti=e=>Object.fromEntries(e.split(`
`).map(t=>t.split(/: ?(.*)/s,2)));var $n=class{#e;constructor(t){this.#e=t}list(t,n){return new le(this.#e,"/webhooks",{...t},n)}async create(t,n){return this.#e.call("POST","/webhooks",{...n,body:t})}async get(t,n){return this.#e.call("GET",ot(t),n)}async update(t,n,o){return this.#e.call("PATCH",ot(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",ot(t),n)}async rotate(t,n){return this.#e.call("POST",`${ot(t)}/rotate`,n)}async test(t,n){return this.#e.act(`${ot(t)}/test`,n)}deliveries(t,n,o){return new le(this.#e,`${ot(t)}/deliveries`,{...n},o)}async redeliver(t,n,o){let r=`${ot(t)}/deliveries/${ve(n)}/redeliver`;return this.#e.act(r,o)}},ot=e=>`/webhooks/${ve(e)}`;var xn=class{pets;orders;categories;events;webhooks;#e;constructor(t){let n=new _n(t);this.#e=n,this.pets=new wo(n),this.orders=new $o(n),this.categories=new xo(n),this.events=new wn(n),this.webhooks=new $n(n)}async inventory(t){return this.#e.call("GET","/store/inventory",t)}inventoryByCategory(t,n){return new le(this.#e,"/store/inventory",{by:"category",...t},n)}async sales(t,n){return this.#e.call("GET","/store/sales",{...n,query:{days:t}})}etag(t){return this.#e.etagOf(t)}async me(t){return this.#e.call("GET","/me",t)}async request(t,n,o){if(new URL(n,"http://_").pathname!==n)throw new TypeError("path: not encoded, or has a query");return this.#e.send(t,n,o)}},wo=class{#e;constructor(t){this.#e=t}list(t,n){return new le(this.#e,"/pets",{...t},n)}async create(t,n){return this.#e.add("/pets",t,n)}async get(t,n){let o={...n,query:{id:[t]},isExpected:Array.isArray},{body:r,headers:s,requestId:i}=await this.#e.send("GET","/pets",o),[a]=r;if(a)return this.#e.remember(a,s);throw new tt("No animal has this identifier.",{status:404,code:"pet_not_found",requestId:i})}async update(t,n,o){return this.#e.call("PATCH",Nr(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",Nr(t),n)}},$o=class{#e;constructor(t){this.#e=t}list(t,n){return new le(this.#e,"/store/orders",{...t},n)}async place(t,n){return this.#e.add("/store/orders",t,n)}async get(t,n){return this.#e.call("GET",Ht(t),n)}async update(t,n,o){return this.#e.call("PATCH",Ht(t),{...o,body:n})}async complete(t,n){return this.#e.act(`${Ht(t)}/complete`,n)}async cancel(t,n){return this.#e.act(`${Ht(t)}/cancel`,n)}async return(t,n){return this.#e.act(`${Ht(t)}/return`,n)}},xo=class{#e;constructor(t){this.#e=t}list(t,n){return new le(this.#e,"/categories",{...t},n)}async put(t,n,o){return this.#e.call("PUT",Mr(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",Mr(t),n)}},Nr=e=>`/pets/${ve(e)}`,Ht=e=>`/store/orders/${ve(e)}`,Mr=e=>`/categories/${ve(e)}`;var Ei=new URL("v1",document.baseURI).href,Lr=e=>nt?.getItem(e)??null;function Rr(e,t){t===null?nt?.removeItem(e):nt?.setItem(e,t)}var Y=g(!0),qt=g(0),ee=g(null),_e=g(""),_=e=>ee.value?.scopes.includes(e)??!1,Ni=8,Dr={pause:0};function Mi(e){let[,t=1,n=1]=/;q=(\d+);w=(\d+)/.exec(e.get("ratelimit-policy")??"")??[],o=Number(n)/Number(t);return 1e3*(Number(e.get("retry-after"))+Math.min(Number(n),Ni*o))}var Fr=e=>new xn({baseUrl:Ei,apiKey:e,timeoutMs:15e3,maxRetryAfterMs:2e3,fetch:async(t,n)=>{try{let o=await fetch(t,{...n,keepalive:n.method==="DELETE"});return Y.value=!0,o.status===401&&e===O.value&&_t(),o.status===429&&(Dr.pause=Mi(o.headers)),o}catch(o){throw o.name!=="AbortError"&&!t.includes("/events/stream")&&(Y.value=!1),o}}}),Ir=P(()=>O.value===null?void 0:Fr(O.value));function h(){if(Ir.value)return Ir.value;throw new yt("Nobody is signed in.",{status:401,code:"missing_api_key"})}async function bt(e,t=bn.value){let n=O.value;_e.value="";try{let o=await Fr(e).me();if(O.value!==n)return;G(()=>{ee.value=o,Cr(e,t)})}catch(o){let r=o instanceof yt||o instanceof TypeError;wt(o),_e.value=r?"This key is not valid: it may be mistyped, expired or revoked.":te(o)}}var Ar="This animal is not in the store; somebody may have removed it. Look for it again.",Vr="The service cannot do that just now. Try again in a moment.",Ii=new Map([["precondition_failed","It changed meanwhile, and stays as it is now. Look at it before you change it again."],["pet_not_available","Somebody else was faster: this animal is not available now. Choose another one, or wait whether its order is cancelled."],["order_state_conflict","An order on this animal does not allow that. Open the animal: its orders show what can be done."],["pet_not_found",Ar],["unknown_pet",Ar],["insufficient_scope","This key does not allow that. Ask whoever runs this store for one that does."],["content_too_large","That is too long. Shorten it."],["idempotency_in_progress",Vr]]),Ai=new Map([["name","Type a name: up to 1,024 characters, not only blanks, and none that cannot be seen."],["categoryId","There is no such category: its number is too large. Choose another one."],["status","Choose one of the three."]]);function Hr(e){let{code:t="",message:n}=e;if(!/_field$/.test(t))return;let o=[...Ai].filter(([r])=>n.includes(`${r}: `));return o.length>0?new Map(o):void 0}var jt=e=>e instanceof Ae||e instanceof Le;function wt(e){let t=e instanceof vt;return t&&(qt.value=Dr.pause),t}var fe=e=>e instanceof ce?e.code:void 0;function te(e){if(e instanceof vt)return`This key has made too many requests. Try again in ${Math.ceil((e.retryAfterMs??0)/1e3)} s. What is missing on the page comes by itself.`;if(jt(e))return"The service cannot be reached. The page tries again by itself.";if([et,Dt,Rt].some(n=>e instanceof n))return Vr;let{message:t}=e;return Ii.get(fe(e))??`The service did not take that. If it stays so, tell whoever runs this store: “${t}”`}var Ut=e=>e instanceof Ie&&e.status<500&&e.status!==408&&e.status!==429&&e.code!=="idempotency_in_progress";var N=g([]),A=g([]),pe=g([]),M=g(null),be=g(null),Wt=g([]),rt=g(null),We=g(new Set),Re=g(null),we=g(!1),$e=g(""),st=g(null),$t=g(null),D=g([]),j=g(null),S=g(null),W=g(history.state?.sheet??null),So=g(null),xe=So;function C(e){let t=So.peek();So.value=e,t?.whenGone?.()}var it=g(null),ne=g(new Set);function qr(e){let t=g(Ne(Lr(e)??"null"));return E(()=>Rr(e,t.value&&ie(t.value))),t}var ue=qr("petstore.add"),$=qr("petstore.edit"),De=P(()=>N.value.at(-1)?.next),Li=P(()=>ie(D.value.map(({categoryId:e,label:t})=>({id:e,label:t})))),Ri=P(()=>{let e=Ne(Li.value);return new Map(e.map(({id:t,label:n})=>[t,n]))}),Q=e=>Ri.value.get(e)??`Category ${e}`,Sn=P(()=>{let{status:e,category:t,search:n}=b.value,o=t===void 0?st.value:D.value.find(({categoryId:r})=>r===t);if(!(!o||n))return e?o[e]:o.available+o.pending+o.sold}),Pn=P(()=>j.value?.orders.some(({status:e})=>/placed|completed/.test(e))??!1),xt=(e,t)=>ie(e)===ie(t),Se={count:0};function Pe(e){Se.count++;let t=o=>o.id===e.id&&!xt(o,e),n=o=>o.map(r=>r.id===e.id?e:r);G(()=>{j.value?.pet?.id===e.id&&(j.value={...j.value,pet:e}),A.value.some(t)&&(A.value=n(A.value)),N.value.some(({pets:o})=>o.some(t))&&(N.value=N.value.map(o=>o.pets.some(t)?{...o,pets:n(o.pets)}:o))})}function kn(e){if(Se.count++,!S.value)return;let t=S.value.items.map(n=>n.order.id===e.id?{...n,order:e}:n);S.value={...S.value,items:t}}function me(e,t){O.value!==null&&(jt(e)?Y.value=!1:C({text:te(e),isError:!0,isWaiting:wt(e),undo:t}))}function jr(){C(null),G(()=>{_t(),$e.value=_e.value="",st.value=$t.value=j.value=S.value=null,W.value=ee.value=ue.value=$.value=null,be.value?.stop(),M.value=rt.value=null,Wt.value=N.value=A.value=pe.value=D.value=[],We.value=new Set})}var Ur={limit:ht,order:"desc",status:"placed"},Di={limit:ht,order:"desc"},Po={count:0};async function Wr(e){let t=await h().orders.list(e).page(),n=e.status!==void 0,o=n?t.items:t.items.filter(({status:l})=>l!=="placed"),r=[...new Set(o.map(({petId:l})=>l))],s=r.length>0?await h().pets.list({limit:ht,id:r}).page():{items:[]},i=new Map(s.items.map(l=>[l.id,l]));return{items:o.flatMap(l=>{let f=i.get(l.petId);return f?[{order:l,pet:f}]:[]}),next:t.next?{...e,cursor:t.next}:n?Di:void 0}}var Kr=e=>[...new Map(e.map(t=>[t.order.id,t])).values()];async function ko(e,t){let n=++Po.count,o=Se.count,{items:r,next:s}=e;try{for(let i=!1;s&&!i;i=r.length>=t){let a=await Wr(s);if(n!==Po.count)return;if(o!==Se.count)return await ko(e,t);r=Kr([...r,...a.items]),s=a.next}return{items:r,next:s}}catch(i){return n===Po.count?{items:r,next:s,failure:i}:void 0}}async function Kt(){let e=Math.max(ht,S.value?.items.length??0);S.value=await ko({items:[],next:Ur},e)??S.value}async function Oo(){S.value&&(S.value=await ko(S.value,S.value.items.length+1)??S.value)}var Ke=()=>b.value.show==="orders"&&_("orders:read")&&_("pets:read");async function Br(e){if(!Ke()||!S.value)return;let t=S.value.items.filter(({pet:r})=>e.includes(r.id)),[n,...o]=await Promise.all([Wr(Ur),...t.map(({order:r})=>h().orders.get(r.id))]);for(let r of o)kn(r);S.value={...S.value,items:Kr([...S.value.items,...n.items])}}var Gr=1e3,Fe=100,Fi=150,ke={list:0,counts:0,animal:0},Bt=(e="a")=>/[\p{L}\p{N}]/u.test(e.normalize("NFKD"));async function Co(e){let{search:t,...n}=ge.value,o=hn(t?.replace(/^#/,"")??null);if(o===void 0)return[];let{items:r}=await h().pets.list({...n,id:[o]},e).page();return r}async function Jr(e){if(!Bt(ge.value.search))return{cursor:e,pets:[],next:void 0};let t=h().pets.list({...ge.value,cursor:e}),[n,{items:o,next:r}]=await Promise.all([Co(),t.page()]),[s]=n,i=s?o.filter(({id:a})=>a!==s.id):o;return{cursor:e,pets:e?i:[...n,...i],next:r}}async function Qr(e){let t=++ke.list;we.value=!0,Re.value=null;try{let n=await Jr(e);if(t!==ke.list)return;G(()=>{we.value=!1,e||zr(),N.value=[...N.value,n],e===void 0&&(St.value=new Date)})}catch(n){if(t!==ke.list)return;G(()=>{we.value=!1,wt(n),e||zr(),Re.value=n})}}var St=g(null);function zr(){N.value.length>0&&scrollTo(0,0),N.value=A.value=pe.value=[]}var On=()=>Qr();async function Cn(){De.value&&!we.value&&await Qr(De.value)}function To(e){let t=e.map(o=>({...o,label:o.name??`Category ${o.categoryId}`})),n=Map.groupBy(t,({label:o})=>o);return t.map(o=>n.get(o.label)?.length===1?o:{...o,label:`${o.label} (${o.categoryId})`})}async function de(){let e=++ke.counts,[t,n,o]=await Promise.all([h().inventory(),h().inventoryByCategory().toArray({limit:Gr}),h().sales(30)]);e===ke.counts&&G(()=>{st.value=t,D.value=To(n),$t.value=o})}async function Oe(e){let t=++ke.animal,n=Se.count,o=()=>t===ke.animal&&b.value.pet===e;j.value?.pet?.id!==e&&(j.value=null);try{let[r,s]=await Promise.all([h().pets.get(e),_("orders:read")?h().orders.list({petId:e}).toArray({limit:Gr}):[]]);if(!o())return;if(n!==Se.count)return await Oe(e);j.value={pet:r,orders:s},Pe(r)}catch(r){if(!o())return;wt(r),j.value===null||fe(r)==="pet_not_found"?j.value={orders:[],failure:r}:me(r)}}async function Vi(){let e=A.value;if(e.length===0)return;let t=e.slice(0,Fe).map(o=>o.id),{items:n}=await h().pets.list({limit:Fe,id:t}).page();A.value===e&&(A.value=[...n.reverse(),...e.slice(Fe)])}async function Hi(){let e=ke.list,t=Se.count,n=[],o;for(;n.length<N.value.length&&(n.length===0||o);){let r=await Jr(o);if(e!==ke.list)return;if(t!==Se.count)return await z();n.push(r),o=r.next}St.value=new Date,N.value=n.map((r,s)=>{let i=N.value[s];return i&&r.next===i.next&&xt(r.pets,i.pets)?i:r})}async function z(){if(O.value===null?Y.value=!0:ee.value||await bt(O.value),!!_("pets:read")){Re.value&&(N.value.length===0?On():Cn());try{await de(),Ke()&&await Kt(),b.value.pet!==void 0&&await Oe(b.value.pet),pe.value=[],await Vi(),await Hi()}catch(e){me(e)}}}function Zr(){ke.list++,jr()}function Tn(){Zr(),Tr()}function qi(){let e=P(()=>b.value.search??"");E(()=>{let t=e.value;J(()=>{$e.value.trim()!==t&&($e.value=t)})}),E(()=>{let t=$e.value.trim();if(t===J(()=>e.value))return;let n=setTimeout(()=>B({search:t||void 0},!0),t?Fi:0);return()=>clearTimeout(n)})}function Xr(){E(()=>{O.value!==null||!ee.value||(_e.value="This key is no longer valid. Enter another one; nothing you typed is lost.",ee.value=null)}),qi();let e=P(()=>_("pets:read"));E(()=>{e.value&&J(()=>de().catch(me))}),E(()=>{e.value&&ge.value&&J(On)});let t=P(Ke);E(()=>{t.value&&J(Kt)});let n=P(()=>e.value?b.value.pet:void 0);E(()=>{let o=n.value;J(()=>{o===void 0?j.value=null:Oe(o)})}),E(()=>{if(Y.value)return;let o=setInterval(z,5e3);return()=>clearInterval(o)}),E(()=>{if(qt.value===0)return;let o=setTimeout(()=>{qt.value=0,xe.value?.isWaiting&&C(null),z()},qt.value);return()=>clearTimeout(o)}),addEventListener("pagehide",()=>C(null)),addEventListener("offline",()=>{Y.value=!1}),addEventListener("online",z),document.addEventListener("visibilitychange",()=>document.visibilityState==="visible"&&z()),E(()=>{let o=O.value;J(()=>{o!==null&&!ee.value&&bt(o)})}),Er(Zr)}var es=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var i=t[s++],a=t[s]?(t[0]|=i?1:2,n[t[s++]]):t[++s];i===3?o[0]=a:i===4?o[1]=Object.assign(o[1]||{},a):i===5?(o[1]=o[1]||{})[t[++s]]=a:i===6?o[1][t[++s]]+=a+"":i?(r=e.apply(a,es(e,a,n,["",null])),o.push(r),a[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(a)}return o},Yr=new Map;function ts(e){var t=Yr.get(this);return t||(t=new Map,Yr.set(this,t)),(t=es(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,i="",a="",l=[0],f=function(m){s===1&&(m||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,m,i):s===3&&(m||i)?(l.push(3,m,i),s=2):s===2&&i==="..."&&m?l.push(4,m,0):s===2&&i&&!m?l.push(5,0,!0,i):s>=5&&((i||!m&&s===5)&&(l.push(s,0,i,r),s=6),m&&(l.push(s,m,0,r),s=6)),i=""},c=0;c<n.length;c++){c&&(s===1&&f(),f(c));for(var p=0;p<n[c].length;p++)o=n[c][p],s===1?o==="<"?(f(),l=[l],s=3):i+=o:s===4?i==="--"&&o===">"?(s=1,i=""):i=o+i[0]:a?o===a?a="":i+=o:o==='"'||o==="'"?a=o:o===">"?(f(),s=1):s&&(o==="="?(s=5,r=i,i=""):o==="/"&&(s<5||n[c][p+1]===">")?(f(),s===3&&(l=l[0]),s=l,(l=l[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(f(),s=2):i+=o),s===3&&i==="!--"&&(s=4,l=l[0])}return f(),l})(e)),t),arguments,[])).length>1?t:t[0]}var u=ts.bind(an),U=e=>e.toLocaleString("en"),oe=e=>`${U(e)} animal${e===1?"":"s"}`,at=2048,K=e=>({currentTarget:t})=>e(t.value),En=()=>u`<a class="reference" href="docs">API reference</a>`,Nn=e=>u`<th role="columnheader" scope="col" class=${e==="Number"&&"id"}>${e}</th>`,lt=({status:e})=>u`<span class="status ${e}">${e}</span>`,ji=new Intl.Segmenter;function Mn({pet:e}){let[t]=ji.segment(e.name.replace(/^[\p{C}\p{Z}]+/u,"").slice(0,32)),n=(Number(BigInt.asUintN(16,e.categoryId))*67+20)%360;return u`<span class="initial" aria-hidden="true" style=${{"--hue":n}}>${t?.segment.toUpperCase()}</span>`}function Be({of:e,field:t}){let n=it.value?.of===e&&it.value.fields.get(t);return n?u`<p role="alert" class="refusal" id="${t}-fault">${n}</p>`:void 0}function he({title:e,isForm:t,onClose:n,children:o}){let r=X(null),s=X(null),i=X(!1);se(()=>(r.current?.showModal(),()=>{it.value=null}),[]),se(()=>{r.current?.contains(document.activeElement)||s.current?.focus()});let a=f=>{f.preventDefault(),n()},l=({target:f})=>f===r.current;return u`<dialog ref=${r} aria-labelledby="sheet-title" onCancel=${a}
    onMouseDown=${f=>i.current=l(f)}
    onClick=${f=>i.current&&l(f)&&n()}>
    <div class="sheet">
      <div class="head">
        <h2
          id="sheet-title"
          ref=${s}
          dir="auto"
          tabindex=${e.length>99?0:-1}
          autofocus=${!t}
        >
          ${e}
        </h2>
        <button type="button" class="plain" onClick=${n}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Close</span>
        </button>
      </div>
      ${o}
      <${Pt} />
    </div>
  </dialog>`}var Ui=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),ns=()=>!_("events:read")&&St.value!==null&&u`<span class="freshness quiet">
    As of <time datetime=${St.value.toISOString()}>${Ui.format(St.value)}</time>
    <button type="button" class="plain" onClick=${z}>Refresh</button>
  </span>`,Wi=8;function Pt(){let e=X(null),{text:t,undo:n,isError:o}=xe.value??{};return se(()=>{if(!t||o||!Y.value)return;let r=Wi,s=setInterval(()=>{!e.current?.matches(":hover, :focus-within")&&--r<=0&&C(null)},1e3);return()=>clearInterval(s)},[xe.value,Y.value]),u`<div class="messages" role="status" ref=${e}>
    ${!Y.value&&u`<p class="message offline">
        No connection. ${(ue.value?.name||$.value)&&"What you typed is kept. "}
        <button type="button" onClick=${z}>Try again</button>
      </p>`}
    ${t&&u`<p class="message ${o?"failed":""}"><span dir="auto">${t}</span>
        ${n&&u`<button type="button" aria-keyshortcuts="Control+Z Meta+Z" onClick=${n}>Undo</button>`}
        <button type="button" class="plain" onClick=${()=>C(null)}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Dismiss</span>
        </button>
      </p>`}
  </div>`}async function ye(e,t,n){if(ne.value.has(e))return!1;ne.value=new Set(ne.value).add(e),C(null),it.value=null;let o=!navigator.onLine;try{return C(await t()),de().catch(me),!0}catch(r){let s=Ki(e)&&Hr(r);return s?(it.value={of:e,fields:s},!1):(me(r,Ut(r)?void 0:n),jt(r)&&C({text:zi(e,o),isError:!0,undo:n}),Ut(r)&&z(),!1)}finally{ne.value=new Set([...ne.value].filter(r=>r!==e))}}var Ki=e=>/^(?:add|save|name)\b/.test(e),Bi={add:["The animal","added"],save:["What you typed","saved"],order:["The order","placed"],move:["The order","changed"],name:["The name","saved"],remove:["The animal","removed"],undo:["It","undone"]};function zi(e,t){let[n,o]=Bi[e.replace(/ .*/,"")]??["It","done"];return t&&!navigator.onLine?`${n} was not ${o}. Try again when the connection is back.`:`${n} was perhaps ${o}: no answer came. When the connection is back, the page shows how it is.`}function ut(e,t){let n=()=>ye(`undo ${e}`,t,n);return n}function Z({name:e}){let t=[...e];return u`<bdi>${t.length>40?`${t.slice(0,39).join("")}…`:e}</bdi>`}var Gi=e=>D.value.find(({categoryId:t})=>t===e)?.label,Ve=e=>Z({name:e});async function In(e){let t=To(await h().inventoryByCategory().toArray()),n=t.find(s=>[s.label,s.name??""].some(i=>bo(i)===bo(e)));if(n)return n.categoryId;let o=t.findLast(({categoryId:s})=>s<1n<<52n)?.categoryId??0n,r=(o>0n?o:0n)+BigInt(1+Math.floor(Math.random()*1e6));return await h().categories.put(r,{name:e.trim()}),r}var os=e=>ye("name new",async()=>{let t=new Set(D.value.map(({categoryId:r})=>r)),n=await In(e);if(await de(),t.has(n))return{text:u`There is a category ${Ve(Gi(n)??e)} already.`};let o=ut("name new",async()=>(await h().categories.delete(n),{text:u`The category ${Ve(e)} was removed again.`}));return{text:u`The category ${Ve(e)} was added.`,undo:o}}),rs=({categoryId:e,label:t,name:n},o)=>ye(`name ${e}`,async()=>{let r=await h().categories.put(e,{name:o});await de();let s=ut(`name ${e}`,async()=>(n?await h().categories.put(e,{name:n},{ifMatch:r}):await h().categories.delete(e,{ifMatch:r}),{text:u`${Ve(o)} is called ${Ve(t)} again.`}));return{text:u`${Ve(t)} is called ${Ve(o)} now.`,undo:s}}),ss=({available:e,pending:t,sold:n})=>e+t+n,is=({categoryId:e,label:t,name:n=t})=>ye(`name ${e}`,async()=>{await h().categories.delete(e),await de();let o=ut(`name ${e}`,async()=>(await h().categories.put(e,{name:n}),{text:u`The category ${Ve(n)} is back.`}));return{text:u`The category ${Ve(n)} was removed.`,undo:o}});async function as({id:e}){let t=await h().pets.get(e);return{pet:t,etag:ls(t)}}var ls=e=>h().etag(e)??"",us=(e,t)=>ye("add",async()=>{let{name:n,category:o,newCategory:r=""}=e,s=o?BigInt(o):await In(r),i=await h().pets.create({name:n,categoryId:s},{idempotencyKey:t});A.value=[i,...A.value];let a=ut("add",async()=>(await h().pets.delete(i.id,{ifMatch:i}),A.value=A.value.filter(({id:l})=>l!==i.id),{text:u`${Z(i)} was removed again.`}));return{text:u`${Z(i)} was added.`,undo:a}});function ds(e){let t={isKept:!1},n=()=>{We.value=new Set([...We.value].filter(s=>s!==e.id))},o=()=>{t.isKept=!0,C({text:u`${Z(e)} stays.`})},r=async()=>{if(t.isKept)return n();try{await h().pets.delete(e.id),de().catch(me)}catch(s){if(fe(s)==="pet_not_found")return;n();let i=fe(s)==="order_state_conflict"?"it stays in the books with its orders.":te(s);C({text:u`${Z(e)} was not removed: ${i}`,isError:!0})}};We.value=new Set(We.value).add(e.id),Ye(),C({text:u`${Z(e)} will be removed when this message goes.`,undo:o,whenGone:r})}var cs=({id:e})=>ye("edit",async()=>{let{pet:t,etag:n}=await as({id:e}),o=$.value;if(Pe(t),$.value={before:t,etag:n,name:t.name,category:String(t.categoryId),status:t.status},!o||Object.keys(kt(o)).length===0)return null;let r=()=>{C(null),$.value=o,B({pet:o.before.id})};return{text:u`What you typed for ${Z(o.before)} was dropped.`,undo:r}});function kt({before:e,name:t,category:n,status:o}){let r=n?BigInt(n):e.categoryId;return{...t!==e.name&&{name:t},...r!==e.categoryId&&{categoryId:r},...o!==e.status&&!Pn.value&&{status:o}}}var No=(e,t)=>Object.fromEntries(Object.keys(t).map(n=>[n,e[n]])),Mo=()=>ye("save",async()=>{let e=$.value;if(!e)return null;let{before:t}=e;if(!e.category){let s=String(await In(e.newCategory??""));e=$.value={...$.value??e,category:s}}let n=kt(e);if(Object.keys(n).length===0)return $.value=null,null;let o=await Ji(e,n);if(!o)return null;Pe(o),$.value=$.value===e||!$.value?null:{...$.value,before:o,etag:ls(o)};let r=ut("save",async()=>{let s=await h().pets.update(t.id,No(t,n),{ifMatch:o});return Pe(s),{text:u`${Z(s)} is as it was.`}});return{text:u`${Z(o)} was saved.`,undo:r}});async function Ji({before:e,etag:t},n){try{return await h().pets.update(e.id,n,{ifMatch:t})}catch(o){if(fe(o)!=="precondition_failed")throw o;let{pet:r,etag:s}=await as(e);if(Pe(r),await Oe(e.id),Object.entries(n).every(([i,a])=>r[i]===a))return r;$.value&&($.value={...$.value,theirs:r,etag:s})}}function fs(){$.value=null}async function ps(){let e=$.value;if(!e?.theirs)return;let{name:t,categoryId:n,status:o}={...e.theirs,...kt(e)},{etag:r,theirs:s}=e;$.value={before:s,etag:r,name:t,category:String(n),status:o},await Mo()}var Eo=new WeakMap,zt=e=>ye(`order ${e.id}`,async()=>{let t=Eo.get(e)??gt();Eo.set(e,t);let n=await h().orders.place({petId:e.id},{idempotencyKey:t});return Eo.delete(e),S.value&&(S.value={...S.value,items:[{order:n,pet:e},...S.value.items]}),await ms(e,"pending"),{text:u`${Z(e)} is reserved.`,undo:()=>dt(e,n,"cancel")}}),Qi={complete:["sold",e=>u`${Z(e)} is sold.`],cancel:["available",e=>u`The order is cancelled; ${Z(e)} is available again.`],return:["available",e=>u`${Z(e)} was taken back, and is available again.`]},dt=(e,t,n)=>ye(`move ${t.id}`,async()=>{let[o,r]=Qi[n];return kn(await h().orders[n](t.id)),await ms(e,o),{text:r(e),undo:n==="cancel"?()=>zt(e):void 0}});async function ms(e,t){Pe({...e,status:t}),b.value.pet===e.id&&await Oe(e.id)}var Gt=()=>D.value.map(({categoryId:e,label:t})=>u`<option key=${e} value=${String(e)}>${t}</option>`);function Io({category:e,newCategory:t="",put:n}){let o=D.value.some(({categoryId:r})=>String(r)===e);return u`${(D.value.length>0||e)&&u`<label>Category
        <select value=${e} onChange=${K(r=>n({category:r}))}>
          ${!o&&e&&u`<option value=${e}>${Q(BigInt(e))}</option>`}
          ${Gt()}
          <option value="">New category…</option>
        </select>
      </label>`}
    ${!e&&u`<label>
        New category
        <input
          dir="auto"
          required
          maxlength=${at}
          value=${t}
          onInput=${K(r=>n({newCategory:r}))}
        />
      </label>`}`}function hs({onClose:e}){let[t,n]=Te("");return u`<${he} title="Categories" isForm onClose=${e}>
    <form class="fields inline" onSubmit=${async r=>{r.preventDefault(),await os(t)&&n("")}}>
      <label>
        New category
        <input dir="auto" required maxlength=${at} autofocus value=${t} onInput=${K(n)} />
      </label>
      <button class="primary">Add</button>
      <${Be} of="name new" field="name" />
    </form>
    <ul class="categories">
      ${D.value.map(r=>u`<${Zi} key=${r.categoryId} category=${r} />`)}
    </ul>
    ${D.value.length>0&&u`<p class="quiet">A category that has no animals can be removed.</p>`}
  <//>`}function Zi({category:e}){let t=ss(e);return u`<li><form onSubmit=${async o=>{o.preventDefault();let r=o.currentTarget,s=String(new FormData(r).get("name"));(s===(e.name??"")||await rs(e,s))&&r.reset()}}>
    <label><span class="hidden">Name of ${e.label}</span>
      <input
        name="name"
        dir="auto"
        required
        maxlength=${at}
        placeholder=${e.label}
        defaultValue=${e.name??""}
      />
    </label>
    <button>Rename<span class="hidden"> ${e.label}</span></button>
    <${Be} of="name ${e.categoryId}" field="name" />
    <span class="quiet">${oe(t)}</span>
    ${t===0&&u`<button type="button" class="plain" onClick=${()=>is(e)}>
        Remove<span class="hidden"> ${e.label}</span>
      </button>`}
  </form></li>`}function ys({onClose:e}){let t=X(null),o={name:"",category:String(b.value.category??D.value[0]?.categoryId??""),...ue.value},r=i=>{ue.value={name:"",...ue.value,...i,attempt:void 0}},s=async i=>{i.preventDefault();let a=o.attempt??gt(),l=ue.value={...o,attempt:a};await us(l,a)&&(ue.value===l&&(ue.value={name:"",category:String(A.value[0]?.categoryId??"")}),t.current?.focus())};return se(()=>()=>{ue.value?.name===""&&(ue.value=null)},[]),u`<${he} title="Add an animal" isForm onClose=${e}>
    <form class="fields" onSubmit=${s}>
      <label>
        Name
        <input
          ref=${t}
          dir="auto"
          required
          maxlength=${at}
          autocomplete="off"
          autofocus
          value=${o.name}
          aria-describedby="name-fault"
          onInput=${K(i=>r({name:i}))}
        />
      </label>
      <${Be} of="add" field="name" />
      <${Io} category=${o.category} newCategory=${o.newCategory} put=${r} />
      <${Be} of="add" field="categoryId" />
      <div class="actions"><button class="primary" disabled=${ne.value.has("add")}>Add</button></div>
      <p class="quiet">Enter adds it and makes ready for the next.</p>
    </form>
  <//>`}var Xi=()=>{$.value=null};function Yi(){let e=$.value;e&&!e.newCategory&&!e.theirs&&Object.keys(kt(e)).length===0&&($.value=null)}var vs=({draft:e,isHeld:t})=>e.theirs?u`<${na} draft=${e} theirs=${e.theirs} />`:u`<${ea} draft=${e} isHeld=${t} />`;function ea({draft:e,isHeld:t}){let n=X(null);se(()=>(n.current?.focus(),Yi),[]);let o=s=>{$.value={...$.value??e,...s}};return u`<form class="fields" onSubmit=${s=>{s.preventDefault(),Mo()}}>
    <label>
      Name
      <input
        ref=${n}
        dir="auto"
        required
        maxlength=${at}
        value=${e.name}
        aria-describedby="name-fault"
        onInput=${K(s=>o({name:s}))}
      />
    </label>
    <${Be} of="save" field="name" />
    <${Io} category=${e.category} newCategory=${e.newCategory} put=${o} />
    <${Be} of="save" field="categoryId" />
    ${t?u`<p class="quiet">
            Whether it is available, pending or sold follows from its order: complete or cancel the order, or take the
            animal back.
          </p>`:u`<label>Status
      <select value=${e.status} onChange=${K(s=>o({status:s}))}>
        ${Lt.map(s=>u`<option value=${s}>${s}</option>`)}
      </select>
    </label>`}
    <div class="actions">
      <button class="primary" disabled=${ne.value.has("save")}>Save</button>
      <button type="button" onClick=${Xi}>Do not save</button>
    </div>
  </form>`}var ta=[{label:"Name",textOf:({name:e})=>e},{label:"Category",textOf:({categoryId:e})=>Q(e)},{label:"Status",textOf:({status:e})=>e}];function na({draft:e,theirs:t}){let n={...t,...kt(e)},o=ta.filter(({textOf:s})=>[t,n].some(i=>s(i)!==s(e.before))),r=(s,i)=>u`<section>
    <h4>${s}</h4>
    <dl>
      ${o.map(({label:a,textOf:l})=>u`<div class=${l(t)!==l(n)?"changed":""}>
          <dt>${a}</dt><dd dir="auto">${l(i)}</dd>
        </div>`)}
    </dl>
  </section>`;return u`<div class="conflict" role="alert">
    <h3>It changed meanwhile</h3>
    <p>Somebody else saved this animal while you were editing it. Nothing is lost: choose what it should be.</p>
    <div class="versions">${r("Theirs, as it is now",t)}${r("Yours, on top of it",n)}</div>
    <div class="actions">
      <button type="button" class="primary" disabled=${ne.value.has("save")} onClick=${ps}>Save yours</button>
      <button type="button" onClick=${fs}>Keep theirs</button>
    </div>
  </div>`}function gs(){let{pet:e,orders:t=[],failure:n}=j.value??{},{pet:o}=b.value,r=()=>o!==void 0&&Oe(o);if(!e){let i=fe(n)==="pet_not_found";return u`<${he} key="animal" title=${i?"No such animal":n?"Not loaded":"Loading…"} onClose=${Ye}>
      ${n&&u`<p>${te(n)}</p>`}
      ${n&&!i&&u`<p><button type="button" onClick=${r}>Try again</button></p>`}
    <//>`}let s=$.value?.before.id===e.id&&_("pets:write")?$.value:void 0;return u`<${he} key="animal" title=${s?s.before.name:e.name} onClose=${Ye}>
    ${s?u`<${vs} draft=${s} isHeld=${Pn.value} />`:u`<${oa} pet=${e} orders=${t} />`}
    ${_("orders:read")&&u`<${ia} orders=${t} />`}
  <//>`}var _s=({status:e})=>e==="placed";function oa({pet:e,orders:t}){let n=t.find(_s),o=t.find(({status:a})=>a==="completed"),r=ne.value.size>0,s=_("orders:write"),i=(a,l,f="")=>u`<button type="button" class=${f} aria-disabled=${r} onClick=${()=>r||l()}>${a}</button>`;return u`<div class="facts">
      <${Mn} pet=${e} />
      <dl>
        <div><dt>Status</dt><dd><${lt} status=${e.status} /></dd></div>
        <div><dt>Category</dt><dd dir="auto">${Q(e.categoryId)}</dd></div>
        <div><dt>Number</dt><dd class="digits">${e.id}</dd></div>
        <div><dt>Number of the category</dt><dd class="digits">${e.categoryId}</dd></div>
      </dl>
    </div>
    <div class="actions">
      ${s&&e.status==="available"&&i("Order",()=>zt(e),"primary")}
      ${s&&n&&i("Complete the order",()=>dt(e,n,"complete"),"primary")}
      ${s&&n&&i("Cancel the order",()=>dt(e,n,"cancel"))}
      ${s&&o&&i("Take back",()=>dt(e,o,"return"))}
      ${_("pets:write")&&i("Edit",()=>cs(e))}
      ${_("pets:write")&&t.length===0&&i("Remove",()=>ds(e))}
    </div>
    ${_("pets:write")&&t.length>0&&u`<p class="quiet">It stays in the books with its orders, and cannot be removed.</p>`}
    ${s&&n&&u`<p class="quiet">Completing the order sells the animal.</p>`}`}var ra=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),Jt=({at:e})=>u`<time datetime=${e}>${ra.format(new Date(e))}</time>`,sa={placed:"Placed",completed:"Completed",cancelled:"Cancelled",returned:"Taken back",expired:"Expired"},ia=({orders:e})=>u`<section class="timeline" aria-labelledby="orders-title">
  <h3 id="orders-title">Orders</h3>
  ${e.length===0&&u`<p class="quiet">Nobody has ordered it yet.</p>`}
  <ol>
    ${[...e].reverse().map(t=>u`<li key=${t.id} class=${t.status}>
        <strong>Order ${t.id}, ${t.status}</strong>
        <span>Placed <${Jt} at=${t.createdAt} /></span>
        ${!_s(t)&&u`<span>${sa[t.status]} <${Jt} at=${t.updatedAt} /></span>`}
      </li>`)}
  </ol>
</section>`;async function Qt(e,t,n){if(be.value)return;let o=new AbortController,r=()=>o.abort(),s=0,i=a=>{s+=a,be.value={title:e,done:s,total:t,stop:r}};C(null),i(0);try{await n(i,o.signal)}catch(a){o.signal.aborted||me(a)}be.value=null}var bs=()=>M.value?.size||Sn.value;async function*aa(e){let{pets:t}=h(),n=[...M.value??[]],o={...ge.value,limit:Fe},{order:r,limit:s}=o;for(let l=0;l<n.length;l+=s)yield(await t.list({limit:s,order:r,id:n.slice(l,l+s)},{signal:e}).page()).items;if(n.length>0||!Bt(o.search))return;let i=await Co({signal:e});yield i;let a;do{let{items:l,next:f}=await t.list({...o,cursor:a},{signal:e}).page();yield l.filter(({id:c})=>c!==i[0]?.id),a=f}while(a)}async function An(e,t){let n=[];for await(let o of aa(e))n.push(...o),t?.(o.length);return n}var la=e=>`"${Sr(e).replaceAll('"','""')}"`;function ua(e){let t=D.value.find(({categoryId:n})=>n===e);return t?.name===t?.label?t?.name??String(e):String(e)}var da=e=>[["number","name","category","status"],...e.map(({id:t,name:n,categoryId:o,status:r})=>[String(t),n,ua(o),r])].map(t=>`${t.map(la).join()}\r
`).join(""),ws=()=>Qt("Saving",bs(),async(e,t)=>{let n=await An(t,e),o=URL.createObjectURL(new Blob(["\uFEFF",da(n)],{type:"text/csv"})),r=new Date().toISOString().slice(0,10);Object.assign(document.createElement("a"),{href:o,download:`animals-${r}.csv`}).click(),setTimeout(()=>URL.revokeObjectURL(o),6e4);let s=M.value?.size?" what is selected, shown here or not":"";C({text:`Saved${s}: ${oe(n.length)}.`})}),Ln=()=>Qt("Getting ready to print",bs(),async(e,t)=>{rt.value=await An(t,e)});function $s({pets:e}){return se(()=>{print(),rt.value=null},[]),u`<table class="printed">
    <caption>${document.title}: ${oe(e.length)}</caption>
    <thead>
      <tr>${["Number","Animal","Category","Status"].map(t=>u`<th scope="col">${t}</th>`)}</tr>
    </thead>
    <tbody>
      ${e.map(({id:t,name:n,categoryId:o,status:r})=>u`<tr key=${t}>
          <td>${t}</td>
          <td dir="auto">${n}</td>
          <td dir="auto">${Q(o)}</td>
          <td>${r}</td>
        </tr>`)}
    </tbody>
  </table>`}function xs(){let e=X(null);ar(()=>{let i=document.activeElement;return e.current?.focus(),()=>i instanceof HTMLElement&&i.focus()},[]);let{title:t,done:n,total:o,stop:r}=be.value??{},s=`${U(n??0)}${o===void 0?"":` of ${U(o)}`}`;return u`<div class="progress"><label>${t}: ${s}<progress value=${o&&n} max=${o} /></label>
    <button type="button" ref=${e} onClick=${r}>Stop</button></div>`}var Rn=class extends Error{};async function Ss({id:e},t){let{items:n}=await h().orders.list({petId:e,status:"placed"}).page();if(!n[0])throw new Rn("Nobody has ordered it.");await h().orders[t](n[0].id)}async function Ao(e,t){let n=await h().pets.update(e.id,t);return()=>h().pets.update(e.id,No(e,t),{ifMatch:n})}var Lo=["orders:read","orders:write"],Ps={order:{label:"Order",scopes:Lo,done:()=>"Reserved",run:async({id:e})=>{let t=await h().orders.place({petId:e});return()=>h().orders.cancel(t.id)}},complete:{label:"Complete the orders",scopes:Lo,done:()=>"Sold",run:e=>Ss(e,"complete")},cancel:{label:"Cancel the orders",scopes:Lo,done:()=>"Available again",run:e=>Ss(e,"cancel")},available:{label:"Mark as available",scopes:["pets:write"],done:()=>"Now available",run:e=>Ao(e,{status:"available"})},pending:{label:"Mark as pending",scopes:["pets:write"],done:()=>"Now pending",run:e=>Ao(e,{status:"pending"})},move:{label:"Move to a category",scopes:["pets:write"],done:e=>`Moved to ${Q(e)}`,run:(e,t)=>Ao(e,{categoryId:t})},remove:{label:"Remove for good",scopes:["pets:write"],done:()=>"Removed",run:async({id:e})=>{await h().pets.delete(e)}}},ca=3,fa=({label:e,done:t,run:n},o)=>Qt(e,M.value?.size,async(r,s)=>{let i=new Set(M.value),a=[],l=[],f,c=await An(s).catch(y=>(f=y,[])),p=new Set(c.map(({id:y})=>y));if(!f)for(let y of i)p.has(y)||i.delete(y);s.aborted&&(f=void 0);let m=i.size,d=async y=>{try{let k=await n(y,o);k&&l.push(k)}catch(k){if(Ut(k)||k instanceof Rn)a.push({pet:y,why:te(k)});else return void(f=k)}i.delete(y.id),r(1)},v=c.values(),L=async()=>{for(let y of v){if(s.aborted||f)return;await d(y)}};await Promise.all(Array.from({length:ca},L));let w=[`${t(o)}: ${oe(m-i.size-a.length)}.`];i.size>0&&w.push(`Not yet: ${U(i.size)}.`),f&&w.push(te(f)),M.value=new Set([...a.map(({pet:y})=>y.id),...i]);let T=l.length>0?()=>pa(l):void 0;C({text:w.join(" "),isError:f!==void 0,undo:T}),a.length>0&&(Wt.value=a,W.value="refused"),z()}),pa=e=>Qt("Undo",e.length,async t=>{let n=0;for(let r of e)await r().catch(()=>n++),t(1);let o=n>0?` Changed meanwhile, and left as they are: ${U(n)}.`:"";C({text:`Undone: ${oe(e.length-n)}.${o}`,isError:n>0}),z()});function ks({shown:e}){let[t,n]=Te(""),[o,r]=Te(""),s=o||String(D.value[0]?.categoryId??""),i=Ps[t],a=M.value?.size??0,l=`Remove ${oe(a)} for good? Nobody can bring them back.`,f=d=>{d.preventDefault(),a===0?C({text:"Select some animals first."}):i&&!be.value&&(t!=="remove"||confirm(l))&&fa(i,BigInt(s))},c=Object.entries(Ps).filter(([,{scopes:d}])=>d.every(_)),p=e.length>0&&e.every(d=>M.value?.has(d)),m=()=>{M.value=new Set(p?[]:[...M.value??[],...e])};return u`<form class="bulk" aria-label="Selection" onSubmit=${f}>
    <p role="status">${U(a)} selected</p>
    <button type="button" onClick=${m}>${p?"Select none":"Select all shown"}</button>
    ${c.length>0&&u`<label><span class="hidden">What to do with them</span>
        <select required value=${t} onChange=${K(n)}>
          <option value="">Do to all…</option>
          ${c.map(([d,{label:v}])=>u`<option value=${d}>${v}</option>`)}
        </select></label>
      ${t==="move"&&u`<label><span class="hidden">To which category</span>
          <select value=${s} onChange=${K(r)}>${Gt()}</select></label>`}
      <button class="primary">${i?.label.split(" ")[0]??"Do it"}</button>`}
  </form>`}var Os=({onClose:e})=>u`<${he} title="Not all of them" onClose=${e}>
    <p>${U(Wt.value.length)} refused, and still selected:</p>
    <ul class="refused">
      ${Wt.value.map(({pet:t,why:n})=>u`<li key=${t.id}><strong dir="auto">${t.name}</strong> ${n}</li>`)}
    </ul>
  <//>`;var ma=[["/","Search"],["n","Add an animal"],["← ↑ → ↓","Go from animal to animal"],["Enter","Open the animal"],["Ctrl Z","Undo what was just done"],["Esc","Close, or clear the search"],["?","This sheet"]],Ts=({onClose:e})=>u`<${he} title="Keyboard" onClose=${e}>
  <dl class="shortcuts">
    ${ma.map(([t,n])=>u`<div><dt><kbd>${t}</kbd></dt><dd>${n}</dd></div>`)}
  </dl>
<//>`;function ha(e,t,n){let o=l=>e[l]?.closest(".item")?.getBoundingClientRect(),{top:r,left:s}=o(t)??{top:0,left:0},i=t+n;for(;o(i)?.top===r;)i+=n;let a=o(i)?.top;for(;o(i+n)?.top===a&&n*(s-(o(i)?.left??s))>0;)i+=n;return i}var ya={ArrowLeft:-1,ArrowRight:1};function va(e){let t=[...document.querySelectorAll(".catalogue .name")],n=document.activeElement?.closest(".item")?.querySelector(".name"),o=n?t.indexOf(n):-1,r=ya[e],s=o<0?0:r?o+r:ha(t,o,e==="ArrowDown"?1:-1);t[s]?.focus()}var ga=e=>e instanceof HTMLSelectElement||e instanceof HTMLInputElement&&e.value!=="";function _a(e){let{target:t,key:n}=e,o=e.ctrlKey||e.metaKey;if(o&&n==="p"&&_("pets:read")&&!Ke()&&!document.querySelector("dialog[open]")&&(e.preventDefault(),Ln()),o&&n==="z"&&!e.shiftKey&&!ga(t)&&xe.value?.undo&&(e.preventDefault(),xe.value.undo()),!(!ee.value||e.ctrlKey||e.metaKey||e.altKey||document.querySelector("dialog[open]"))&&t instanceof HTMLElement&&(n==="Escape"&&t.id==="search"&&($e.value="",document.querySelector("main")?.focus()),!/^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName))){if(n==="/")document.querySelector("#search")?.select();else if(n==="n"&&_("pets:write"))W.value="add";else if(n==="?")W.value="shortcuts";else if(n.startsWith("Arrow"))va(n);else return;e.preventDefault()}}function ba(e){e.detail<2||!(e.target instanceof Element&&e.target.closest("a, button"))||(e.preventDefault(),e.stopPropagation())}var Cs=()=>[...document.querySelectorAll("main .item")];function wa(){let e;addEventListener("focusin",({target:r})=>{if(!(r instanceof HTMLElement))return;if(r.closest("dialog, .messages")){e??={element:null,id:void 0,at:-1};return}let s=r.closest(".item");e={element:r,id:s?.dataset.id,at:s?Cs().indexOf(s):-1}}),addEventListener("pointerdown",({target:r})=>{r instanceof Element&&!r.closest("a, button, label, input, select, dialog, [tabindex]")&&(e=void 0)});let t=()=>{if(n=!1,!e||document.activeElement!==document.body||document.querySelector("dialog[open]"))return;let{element:r,id:s,at:i}=e,a=Cs(),l=a.find(({dataset:c})=>s&&c.id===s)??a[Math.min(i,a.length-1)],f=r?.isConnected?r:l?.querySelector(".name")??document.querySelector("main [autofocus]")??document.querySelector("main");f instanceof HTMLElement&&f.focus({preventScroll:!0})},n=!1,o=()=>{n||setTimeout(t),n=!0};new MutationObserver(o).observe(document.body,{childList:!0,subtree:!0})}function Es(){wa(),addEventListener("keydown",_a),addEventListener("click",ba,!0)}var $a=P(()=>{let e=Me({pet:void 0});return`${e}${e.includes("?")?"&":"?"}pet=`}),Ns=({id:e,name:t})=>u`<a class="name" dir="auto" href=${$a.value+e}>${t}</a>`,Ms=({status:e,name:t})=>e==="available"&&_("orders:write")&&u`<button type="button" class="order">Order<span class="hidden"> <bdi>${t}</bdi></span></button>`,Is=({name:e},t)=>u`<label class="pick">
    <input type="checkbox" checked=${t} />
    <span class="hidden">Select <bdi>${e}</bdi></span>
  </label>`,xa=(e,t)=>u`<div class="card item" role="listitem" key=${e.id} data-id=${e.id}>
  ${t&&Is(e,t.has(String(e.id)))}${Mn({pet:e})}
  <div class="what">${Ns(e)}<span class="category" dir="auto">${Q(e.categoryId)}</span></div>
  ${lt(e)}${Ms(e)}
</div>`,Sa=(e,t)=>u`<tr class="row item" role="row" key=${e.id} data-id=${e.id}>
  ${t&&u`<td role="cell">${Is(e,t.has(String(e.id)))}</td>`}<td role="cell">${Ns(e)}</td>
  <td role="cell" class="category" dir="auto">${Q(e.categoryId)}</td>
  <td role="cell">${lt(e)}</td>
  <td role="cell" class="id">${e.id}</td>
  <td role="cell" class="do">${Ms(e)}</td>
</tr>`;function As({pets:e,isTable:t}){let n=vr(()=>M.value===null?void 0:e.flatMap(({id:l})=>M.value?.has(l)?l:[]).join()).value,o=n===void 0?void 0:new Set(n.split(",")),r=l=>{let f=l instanceof Element&&l.closest(".item")?.dataset.id;return e.find(c=>String(c.id)===f)},s=({target:l})=>{let f=r(l)?.id;if(f===void 0||!M.value||!(l instanceof HTMLInputElement))return;let c=[...M.value].filter(p=>p!==f);M.value=new Set(l.checked?[...c,f]:c)},i=l=>{let{target:f}=l,c=r(f);!c||!(f instanceof HTMLElement)||(f instanceof HTMLButtonElement&&zt(c),!(!f.matches(".name")||l.metaKey||l.ctrlKey||l.shiftKey)&&(l.preventDefault(),B({pet:c.id})))},a={"--count":e.length};return t?u`<tbody class="chunk" role="rowgroup" style=${a} onClick=${i} onChange=${s}>
        ${e.map(l=>Sa(l,o))}
      </tbody>`:u`<div class="cards chunk" style=${a} onClick=${i} onChange=${s}>
        ${e.map(l=>xa(l,o))}
      </div>`}function Ls(){let{category:e,sort:t,view:n}=b.value,o=e===void 0||D.value.some(({categoryId:l})=>l===e),r=(l,f)=>u`<button type="button" aria-pressed=${n===l} onClick=${()=>B({view:l})}>${f}</button>`,s=l=>()=>{W.value=l},i=l=>{$e.value=l},a=l=>B({category:l?BigInt(l):void 0});return u`<div class="toolbar">
    <label class="search"><span class="hidden">Search all animals</span>
      <input
        id="search"
        type="search"
        placeholder="Name or number"
        maxlength=${no}
        value=${$e.value}
        onInput=${K(i)}
      />
    </label>
    <div class="filters">
    <label><span class="hidden">Category</span>
      <select value=${String(e??"")} onChange=${K(a)}>
        <option value="">All categories</option>
        ${!o&&u`<option value=${String(e)}>Category ${e}</option>`}
        ${Gt()}
      </select>
    </label>
    <label><span class="hidden">Order of the list</span>
      <select value=${t??""} onChange=${K(l=>B({sort:l==="oldest"?l:void 0}))}>
        <option value="">Newest first</option>
        <option value="oldest">Oldest first</option>
      </select>
    </label>
    <div class="views" role="group" aria-label="Show as">${r(void 0,"Cards")}${r("table","Table")}</div>
    ${_("pets:write")&&u`<button type="button" class="names" onClick=${s("categories")}>Categories</button>`}
    </div>
    ${_("pets:write")&&u`<button type="button" class="primary add" onClick=${s("add")}>
        <span aria-hidden="true">+</span> Add
      </button>`}
    <button type="button" class="plain help" onClick=${s("shortcuts")}>
      <span aria-hidden="true">?</span>
      <span class="hidden">Keyboard shortcuts</span>
    </button>
  </div>`}var Pa=P(()=>{let e=new Set(A.value.map(({id:r})=>r)),t=r=>s=>s.some(r)?s.filter(i=>!r(i)):s,n=({id:r})=>We.value.has(r),o=({id:r})=>e.has(r);return[A.value,...N.value.map(({pets:r})=>r).map(t(o))].map(t(n))}),ka=["Animal","Category","Status","Number"];function Oa({lists:e}){let t=b.value.view==="table",n=e.map((o,r)=>o.length>0&&u`<${As} key=${r} pets=${o} isTable=${t} />`);return t?u`<table role="table"><thead role="rowgroup"><tr role="row">
        ${M.value&&u`<td role="cell"></td>`}
        ${ka.map(Nn)}
        <td role="cell" class="do"></td>
      </tr></thead>${n}</table>`:u`<div role="list">${n}</div>`}function Rs(){let e=Pa.value,t=e.flat().map(({id:o})=>o),n=M.value!==null;return u`<section
    class="catalogue ${n?"selecting":""}"
    aria-label="Animals"
    aria-busy=${we.value}
  >
    <div class="found"><p role="status">${Ca(t.length)}</p><${ns} /><${Ta} /><${Na} /></div>
    ${be.value&&u`<${xs} />`}
    ${t.length===0&&!we.value&&!Re.value&&!De.value&&u`<${Ma} />`}
    ${t.length===0&&we.value&&u`<ul class="cards" aria-hidden="true">
        ${Array.from({length:8},()=>u`<li class="card blank" />`)}
      </ul>`}
    ${n&&u`<${ks} shown=${t} />`}
    ${t.length>0&&u`<${Oa} lists=${e} />`}
    ${Re.value&&u`<${Ia} />`}
    ${De.value&&!Re.value&&u`<${Ro} at=${N.value.length} />`}
    ${rt.value&&u`<${$s} pets=${rt.value} />`}
  </section>`}function Ca(e){let t=Sn.value;return we.value&&e===0?"Loading…":De.value?t===void 0?`${oe(e)} shown, more to come`:`${U(e)} of ${oe(t)}`:e===0&&!b.value.search?"":`${oe(e)}${b.value.search?" found":""}`}function Ta(){let e=pe.value.filter(({id:n})=>A.value.every(o=>o.id!==n)),t=()=>{A.value=[...e,...A.value],pe.value=[]};return e.length>0&&u`<button type="button" onClick=${t}>Show ${U(e.length)} new</button>`}var Ea=()=>{M.value=M.value?null:new Set},Na=()=>u`<div class="tools">
  <button type="button" aria-pressed=${M.value!==null} onClick=${Ea}>Select</button>
  <button type="button" onClick=${ws}><span class="wide">Save as </span>CSV</button>
  <button type="button" onClick=${Ln}>Print</button>
</div>`;function Ma(){let{status:e,category:t,search:n}=b.value,o=e!==void 0||t!==void 0,r=i=>()=>B(i),s={status:void 0,category:void 0};return!o&&!n?u`<div class="notice">
      <h2>No animals yet</h2>
      ${_("pets:write")&&u`<p>The first one is a name and a category away.</p>
          <p>
            <button type="button" class="primary" onClick=${()=>W.value="add"}>Add an animal</button>
          </p>`}
    </div>`:u`<div class="notice">
    <h2>No animal fits</h2>
    ${n&&u`<p>A search finds how the words of a name begin, or a number.</p>`}
    <p>
      ${n&&o&&u`<button type="button" onClick=${r(s)}>Search all animals</button>`}
      <button type="button" onClick=${r({...s,search:void 0})}>Show all animals</button>
    </p>
  </div>`}var Ia=()=>u`<div class="notice" role="alert">
  <h2>The animals could not be loaded</h2>
  <p>${te(Re.value)}</p>
  <p><button type="button" onClick=${()=>N.value.length>0?Cn():On()}>Try again</button></p>
</div>`;function Ro({at:e,onMore:t=Cn}){let n=X(null);return se(()=>{if(!n.current)return;let o=new IntersectionObserver(([r])=>r?.isIntersecting&&t(),{rootMargin:"600px"});return o.observe(n.current),()=>o.disconnect()},[e]),u`<p class="more" ref=${n}><button type="button" onClick=${t}>Show more</button></p>`}var Ds=300,Fs=6e4;function Aa(e){let t=new Set,n=!1;async function o(){if(!n){n=!0;try{for(let r=Ds;;){await Ft(r,e);let s=[...t];t.clear();try{if(await(s.length>Fe?z():Promise.all([de(),La(s),Br(s)])),t.size===0)break;r=Ds}catch{for(let i of s)t.add(i);r=Fs}}}catch{}n=!1}}return r=>{r!==void 0&&t.add(r),o()}}async function La(e){let t=new Map([...N.value.flatMap(({pets:i})=>i),...A.value].map(i=>[i.id,i]));await Ra(e.filter(i=>!t.has(i)));let n=e.filter(i=>t.has(i)||j.value?.pet?.id===i);if(n.length===0)return;let{items:o}=await h().pets.list({limit:Fe,id:n}).page(),r=new Map(o.map(i=>[i.id,i])),s=j.value?.pet;for(let i of n){let a=t.get(i);if(!a)continue;let l=r.get(i)??{...a,status:"removed"};xt(l,a)||Pe(l)}s&&n.includes(s.id)&&await Da(s,r.get(s.id))}async function Ra(e){let t=ge.value,n=t.order==="desc",o=()=>n||!De.value,r=[...pe.value,...(n?N.value[0]:N.value.at(-1))?.pets??[]],s=e.filter(l=>r.every(f=>f.id<l));if(s.length===0||!o()||!Bt(t.search))return;let{items:i}=await h().pets.list({...t,limit:Fe,id:s}).page(),a=N.value.at(-1);i.length===0||ge.value!==t||!o()||!a||(n?pe.value=[...i,...pe.value]:N.value=[...N.value.slice(0,-1),{...a,pets:[...a.pets,...i]}])}async function Da(e,t){let n=$.value?.before.id===e.id;(t||!n)&&await Oe(e.id),!(xt(t,e)||ne.value.size>0||xe.value?.undo)&&C({text:`Somebody else has ${t?"changed":"removed"} this animal.`})}async function Fa(e){let t=Aa(e);for(;!e.aborted;)try{let{next:n}=await h().events.list({limit:1,from:"now"},{signal:e}).page();await z();for await(let{type:o,data:r}of h().events.follow({cursor:n},{signal:e}))t(o.startsWith("category.")?void 0:"petId"in r?r.petId:r.id)}catch(n){fe(n)!=="events_expired"&&await Ft(Fs,e).catch(()=>{})}}function Vs(){let e=g(document.visibilityState==="visible");document.addEventListener("visibilitychange",()=>{e.value=document.visibilityState==="visible"});let t=P(()=>_("pets:read")&&_("events:read")&&e.value&&Y.value);E(()=>{if(!t.value)return;let n=new AbortController;return J(()=>Fa(n.signal)),()=>n.abort()})}var Hs=e=>t=>{t.metaKey||t.ctrlKey||t.shiftKey||(t.preventDefault(),e())};function qs(){let e=(t,n)=>{let o={show:t,pet:void 0};return u`<a
      href=${Me(o)}
      aria-current=${b.value.show===t?"page":void 0}
      onClick=${Hs(()=>B(o))}
    >
      ${n}
    </a>`};return u`<nav class="tabs" aria-label="Show">${e(void 0,"Animals")}${e("orders","Orders")}</nav>`}var Va=["Animal","Status","Placed","Done","Number"];function js(){let{items:e=[],next:t,failure:n}=S.value??{},o=`${U(e.length)} order${e.length===1?"":"s"}${t?" loaded so far":""}`;return u`<section class="catalogue orders" aria-label="Orders" aria-busy=${!S.value}>
    <div class="found"><p role="status">${S.value?e.length>0&&o:"Loading…"}</p></div>
    ${e.length>0&&u`<div><table role="table">
        <thead role="rowgroup"><tr role="row">
          ${Va.map(Nn)}
          <td role="cell"></td>
        </tr></thead>
        <tbody role="rowgroup">${e.map(r=>u`<${Ha} key=${r.order.id} ...${r} />`)}</tbody>
      </table></div>`}
    ${n?u`<div class="notice" role="alert">
            <h2>The orders could not be loaded</h2>
            <p>${te(n)}</p>
            <p>
              <button type="button" onClick=${e.length>0?Oo:Kt}>Try again</button>
            </p>
          </div>`:S.value&&e.length===0&&u`<div class="notice">
            <h2>No orders yet</h2>
            <p>An order is placed on an animal: press Order there.</p>
          </div>`}
    ${t&&!n&&u`<${Ro} at=${e.length} onMore=${Oo} />`}
  </section>`}function Ha({order:e,pet:t}){let{id:n,status:o,createdAt:r,updatedAt:s}=e,i={pet:t.id},a=(l,f)=>u`<button
      type="button"
      aria-label="${f} order ${n}, ${t.name}"
      onClick=${()=>dt(t,e,l)}
    >
      ${f}
    </button>`;return u`<tr class="row item" role="row" data-id=${n}>
    <td role="cell"><a class="name" href=${Me(i)} onClick=${Hs(()=>B(i))}><bdi>${t.name}</bdi></a></td>
    <td role="cell"><span class="status ${o}">${o}</span></td>
    <td role="cell"><span class="on">Placed </span><${Jt} at=${r} /></td>
    <td role="cell">${o!=="placed"&&u`<span class="on">Done </span><${Jt} at=${s} />`}</td>
    <td role="cell" class="id">${n}</td>
    <td role="cell" class="do">
      ${_("orders:write")&&o==="placed"&&u`${a("complete","Complete")}${a("cancel","Cancel")}`}
      ${_("orders:write")&&o==="completed"&&a("return","Take back")}
    </td>
  </tr>`}var Us=()=>O.value===null?u`<${qa} />`:u`<${ja} apiKey=${O.value} />`;function qa(){let[e,t]=Te(!1);return u`<main class="signin">
    <form class="fields" onSubmit=${async o=>{o.preventDefault(),t(!0);let r=new FormData(o.currentTarget);await bt(String(r.get("key")).trim(),r.has("remember")),t(!1)}}>
      <img src="shop/favicon.svg" alt="" width="64" height="64" />
      <h1>Pet Store</h1>
      <p>Sign in with your API key. Whoever runs this store gives out the keys, one to each person.</p>
      <p role="alert" class="refusal">${_e.value}</p>
      <label>
        API key
        <input
          name="key"
          type="password"
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck=${!1}
          maxlength="200"
          autofocus
        />
      </label>
      <label class="remember">
        <input name="remember" type="checkbox" aria-describedby="remember-note" />
        Remember it on this device
      </label>
      <p id="remember-note" class="quiet">
        Then whoever uses this browser is signed in, until somebody signs out. Otherwise it is forgotten when the last
        tab is closed.
      </p>
      <button class="primary" disabled=${e}>Sign in</button>
      <${En} />
    </form>
    <${Pt} />
  </main>`}var ja=({apiKey:e})=>u`<main class="signin">
  <div class="notice" role="status"><p>${_e.value||"Signing in…"}</p>${_e.value&&u`<p class="actions">
      <button type="button" class="primary" onClick=${()=>bt(e)}>Try again</button>
      <button type="button" onClick=${Tn}>Use another key</button>
    </p>`}</div>
  <${Pt} />
</main>`;var Dn=48,Zt=10,Ua=new Intl.DateTimeFormat(void 0,{day:"numeric",month:"short",timeZone:"UTC"}),Xt=({day:e})=>Ua.format(new Date(e)),Ks=(e,t)=>e.reduce((n,o)=>n+o[t],0),Ws=(...e)=>{let t=Ks(e,"returned");return t>0?`, ${U(t)} returned`:""};function Bs(){let[e,t]=Te(null),n=$t.value??[],o=n.length-1,r=n[e??o],s=e!==null&&r?[r]:n,i=l=>$t.value?U(Ks(s,l)):"–";return u`<figure class="chart">
    <div class="plot" onPointerMove=${({clientX:l,currentTarget:f})=>{let{left:c,width:p}=f.getBoundingClientRect();t(Math.max(0,Math.min(o,Math.floor((l-c)/p*n.length))))}} onPointerLeave=${()=>t(null)}>
      <${Wa} days=${n} at=${e} />
      ${r&&u`<input
          type="range"
          aria-label="Day"
          aria-valuetext="${Xt(r)}: ${r.added} added, ${r.sold} sold${Ws(r)}"
          min="0"
          max=${o}
          value=${e??o}
          onInput=${K(l=>t(Number(l)))}
          onFocus=${()=>t(e??o)}
          onBlur=${()=>t(null)}
        />`}
    </div>
    <p class="dates" aria-hidden="true">
      <span>${n[0]&&Xt(n[0])}</span>
      <span>${n[o]&&Xt(n[o])}</span>
    </p>
    <figcaption>
      <strong>${e!==null&&r?Xt(r):`In ${n.length||30} days`}</strong>${" "}
      <i class="added" />${i("added")} added <i />${i("sold")} sold${Ws(...s)}
    </figcaption>
    <div class="hidden"><${Ka} days=${n} /></div>
  </figure>`}function Wa({days:e,at:t}){let n=Math.max(1,...e.flatMap(({added:r,sold:s})=>[r,s])),o=(r,s,i)=>{let a=r>0?Math.max(2,r/n*Dn):0;return u`<rect class=${i} x=${s} y=${Dn-a} width="4" height=${a} rx="1" />`};return u`<svg viewBox="0 0 ${30*Zt} ${Dn}" aria-hidden="true">
    ${t!==null&&u`<rect class="day" x=${t*Zt-.75} width=${Zt} height=${Dn} rx="1" />`}
    ${e.map(({day:r,added:s,sold:i},a)=>u`<g key=${r}>
        ${o(s,a*Zt,"added")}
        ${o(i,a*Zt+4.5,"bar")}
      </g>`)}
  </svg>`}var Ka=({days:e})=>u`<table>
  <caption>Animals added, sold and returned on each of the last 30 days</caption>
  <thead>
    <tr>
      <th scope="col">Day</th>
      <th scope="col">Added</th>
      <th scope="col">Sold</th>
      <th scope="col">Returned</th>
    </tr>
  </thead>
  <tbody>
    ${e.map(t=>u`<tr key=${t.day}>
        <th scope="row">${Xt(t)}</th>
        <td>${t.added}</td>
        <td>${t.sold}</td>
        <td>${t.returned}</td>
      </tr>`)}
  </tbody>
</table>`;function zs(){let{status:e}=b.value;return u`<section class="summary" aria-label="Counts">
    <div class="counts" role="group" aria-label="Show only animals that are">
      ${Lt.map(t=>u`<button type="button" class="count" aria-pressed=${e===t}
          onClick=${()=>B({status:e===t?void 0:t})}>
          <${Ba} of=${t} /> <${lt} status=${t} />
        </button>`)}
    </div>
    <${Bs} />
  </section>`}function Ba({of:e}){let t=st.value?U(st.value[e]):"–";return u`<strong style=${{"--digits":t.length}}>${t}</strong>`}var za={add:ys,categories:hs,shortcuts:Ts,refused:Os};function Ga(){E(()=>{let e=W.value&&{sheet:W.value};e?.sheet!==history.state?.sheet&&(e?history.pushState(e,""):history.replaceState(null,""))}),addEventListener("popstate",()=>{W.value=history.state?.sheet??null})}function Ja(){return Ke()?u`<${js} />`:_("pets:read")?u`<${zs} /><${Ls} /><${Rs} />`:u`<div class="notice">
    <h2>This key may not see the animals</h2>
    <p>It needs the scope <code>pets:read</code>. Ask for another key, and sign in with it.</p>
  </div>`}function Qa(){if(!ee.value)return u`<${Us} />`;let e=W.value&&(W.value==="shortcuts"||W.value==="refused"||_("pets:write"))&&za[W.value],t=e||b.value.pet!==void 0;return u`<header class="masthead">
      <h1 class="brand"><img src="shop/favicon.svg" alt="" width="32" height="32" />Pet Store</h1>
      ${_("pets:read")&&_("orders:read")&&u`<${qs} />`}
      <p class="who">
        <${En} />
        <span dir="auto">${ee.value.name}</span>
        <button type="button" class="plain" onClick=${Tn}>Sign out</button>
      </p>
    </header>
    <main tabindex="-1">${Ja()}</main>
    ${e?u`<${e} onClose=${Ye} />`:t&&_("pets:read")&&u`<${gs} />`}
    ${!t&&u`<${Pt} />`}`}E(()=>{let{status:e,category:t,show:n}=b.value,o=t!==void 0&&Q(t),r=n?["Orders"]:[o,e];document.title=[j.value?.pet?.name,...r,"Pet Store"].filter(Boolean).join(" · ")});Es();Ga();Xr();Vs();Qo(u`<${Qa} />`,document.getElementById("shop"));
