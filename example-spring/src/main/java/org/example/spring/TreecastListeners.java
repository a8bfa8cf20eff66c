package org.example.spring;

import io.treecast.client.Message;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Treecast;
import java.lang.reflect.Method;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** Subscribes each method with {@link TreecastListener}, when all beans exist. */
final class TreecastListeners implements SmartInitializingSingleton {
  private final ListableBeanFactory beans;
  private final Treecast treecast;

  TreecastListeners(ListableBeanFactory beans, Treecast treecast) {
    this.beans = beans;
    this.treecast = treecast;
  }

  @Override
  public void afterSingletonsInstantiated() {
    for (String name : beans.getBeanNamesForType(Object.class, false, false)) {
      Class<?> type = beans.getType(name, false);
      if (type != null) {
        MethodIntrospector.selectMethods(
                type,
                (MethodIntrospector.MetadataLookup<TreecastListener>)
                    method ->
                        AnnotatedElementUtils.findMergedAnnotation(method, TreecastListener.class))
            .forEach((method, listener) -> subscribe(name, method, listener.value()));
      }
    }
  }

  private void subscribe(String bean, Method method, String topic) {
    if (method.getParameterCount() != 1
        || !(isFor(method, Message.class) || isFor(method, String.class))) {
      throw new IllegalStateException(
          "@TreecastListener " + method + " needs one parameter, a Message or a String");
    }
    Object target = beans.getBean(bean);
    Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
    ReflectionUtils.makeAccessible(invocable);
    treecast.subscribe(
        SubscribeOptions.defaults().withTopics(topic),
        message ->
            ReflectionUtils.invokeMethod(
                invocable, target, isFor(method, String.class) ? message.text() : message));
  }

  private static boolean isFor(Method method, Class<?> parameter) {
    return method.getParameterTypes()[0] == parameter;
  }
}
